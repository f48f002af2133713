// The only script of the site. Every page works without it: each action is a form or a link first.

const root = document.documentElement;
const one = (selector, from = document) => from.querySelector(selector);
const all = (selector, from = document) => from.querySelectorAll(selector);

// ---- theme: the server reads the cookie and writes data-theme, so a reload does not flash ----

const themes = ["auto", "light", "dark"];

function setTheme(theme) {
  if (theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = theme;
  document.cookie = `theme=${theme};path=/;max-age=31536000;samesite=lax`;
  one("#theme").textContent = `Theme: ${theme}`;
}

one("#theme").addEventListener("click", () => {
  const now = root.dataset.theme ?? "auto";
  setTheme(themes[(themes.indexOf(now) + 1) % themes.length]);
});

// ---- what needs the script keeps its place in the page, unseen, until the script is here ----

root.classList.add("script");

// ---- copy ----

for (const button of all("[data-copy]")) {
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(one(button.dataset.copy).textContent.trim());
    one("#said").textContent = "Copied.";
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 2000);
  });
}

// ---- keys: they press the buttons that are on the page, and nothing else; up and down stay with the reader ----

const keysOff = () => localStorage.getItem("keys") === "off";
const help = one("#help");
const keysOn = one("#keys-on");

if (keysOn) {
  keysOn.checked = !keysOff();
  keysOn.addEventListener("change", () => localStorage.setItem("keys", keysOn.checked ? "on" : "off"));
}
for (const button of all("[data-help]")) button.addEventListener("click", () => help.showModal());

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.target.closest("input, select, textarea, dialog, pre, .scroll, [contenteditable]")) return;
  if (keysOff()) return;
  if (event.key === "?" && help) return help.showModal();
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const button = [...all("[data-key]")].find((each) => each.dataset.key === key);
  if (!button || button.disabled || button.getAttribute("aria-disabled") === "true") return;
  event.preventDefault();
  button.click();
});

// ---- one outcome, once: a second press while the first is under way does nothing ----

for (const form of all("form[data-once]")) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) return event.preventDefault();
    form.dataset.sent = "yes";
  });
}

// a page that comes back from the browser's memory shows an old state: ask for the present one

addEventListener("pageshow", (event) => {
  if (event.persisted && document.body.classList.contains("voting")) location.reload();
});

// ---- grace: some seconds to undo, then the names; holding stops the clock ----

const grace = one("[data-grace]");
if (grace) {
  const left = one("output", grace);
  const hold = one("[data-hold]", grace);
  let seconds = Number(grace.dataset.grace);
  one(".clock > span", grace).style.animationDuration = `${seconds}s`;
  const tick = setInterval(() => {
    if (document.body.classList.contains("held")) return;
    seconds -= 1;
    if (seconds >= 0) left.textContent = `${seconds} s`;
    if (seconds > 0) return;
    clearInterval(tick);
    one("[data-reveal]", grace).click();
  }, 1000);
  hold.addEventListener("click", () => {
    const held = document.body.classList.toggle("held");
    hold.setAttribute("aria-pressed", held);
  });
}
