"""The whole product: one command in an empty folder, real votes in, a board out, a vote in a browser, and it counts."""

import csv
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

from arena.embedded.holding import read_state
from arena.settings import Settings
from tests.arena.operations.installation import Installation, arena_up
from tests.processes import environment, wait_until
from tests.shared import shared_file
from tests.web.browser import opened_browser

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def installation(short_folder: Path) -> Iterator[Installation]:
    """`arena up` with everything of its own, in a folder that was empty."""
    home = Path(tempfile.mkdtemp(dir=short_folder))
    home.chmod(0o711)
    with arena_up(Settings(home=home)) as running:
        running.wait_until_whole()
        yield running


@pytest.fixture
def page(installation: Installation) -> Iterator[Page]:
    with opened_browser() as browser:
        context = browser.new_context(base_url=address(installation))
        context.set_default_timeout(15_000)
        yield context.new_page()
        context.close()


def address(installation: Installation) -> str:
    state = read_state(installation.settings.home)
    assert state is not None
    return state.url


def arena(installation: Installation, *arguments: str) -> str:
    """Run a command as its user would; it has to succeed."""
    done = subprocess.run(
        [sys.executable, "-c", "from arena.cli import main; main()", *arguments],
        env=environment(installation.settings),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def board(installation: Installation, name: str) -> dict:
    answer = httpx.get(f"{address(installation)}/api/v1/boards/{name}", trust_env=False)
    assert answer.status_code == 200, answer.text
    return answer.json()


def rated(installation: Installation, name: str) -> int:
    """How many preferences the newest rating run of a board rests on."""
    run = board(installation, name)["run"]
    return 0 if run is None else run["preferences"]


def test_votes_go_in_and_a_vote_in_the_browser_counts(
    installation: Installation, page: Page, tmp_path: Path
) -> None:
    """A file of votes becomes a board; a person votes blind with the keyboard; the board counts one more."""
    votes, answers = tmp_path / "votes.csv", tmp_path / "answers.jsonl"
    votes.write_text(
        "model_a,model_b,winner,voter\n"
        + "".join(f"ash,birch,{'model_a' if n % 3 else 'model_b'},v{n}\n" for n in range(12))
        + "".join(f"birch,cedar,{'tie' if n % 2 else 'model_a'},v{n}\n" for n in range(12))
    )
    answers.write_text(
        "".join(
            json.dumps({"prompt": "Why is the sky blue?", "model": model, "text": text}) + "\n"
            for model, text in (("ash", "Light scatters."), ("birch", "**Rayleigh** scattering."))
        )
    )
    arena(installation, "import", "votes", str(votes), "--board", "people")
    arena(installation, "import", "completions", str(answers), "--board", "people")
    wait_until(lambda: rated(installation, "people") == 24, seconds=30, what="a rated board")

    page.goto("/vote?board=people")
    page.get_by_role("button", name="Begin on People").click()
    expect(page.get_by_role("button", name="A is better")).to_be_visible()
    assert not {"ash", "birch"} & set(page.content().lower().replace('"', " ").split())
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_text("Saved:")).to_be_visible()
    assert rated(installation, "people") == 24
    page.keyboard.press("n")
    expect(page.get_by_role("heading", name="You chose A")).to_be_visible()

    wait_until(
        lambda: rated(installation, "people") == 25, seconds=30, what="the vote on the board"
    )
    page.goto("/boards/people")
    expect(page.get_by_role("row").filter(has_text="ash")).to_be_visible()
    run = board(installation, "people")["run"]["id"]
    assert "largest difference" in arena(installation, "replay", str(run))


def test_the_llmfao_boards_are_the_published_ones(installation: Installation) -> None:
    """People's and judges' real votes, through Postgres and a worker, give the published scores."""
    folder = shared_file("data", "preferences", "llmfao")
    files = {"people": "crowd", "gpt3": "gpt3-crowd", "gpt4": "gpt4-crowd"}
    for source, name in files.items():
        options = [] if source == "people" else ["--judge", source]
        path = str(folder / f"{name}-comparisons.csv")
        arena(installation, "import", "votes", path, "--board", f"llmfao-{source}", *options)
        arena(installation, "fit", f"llmfao-{source}", "--wait")

    found = {source: scores(board(installation, f"llmfao-{source}")["models"]) for source in files}

    for source, judge in (("people", "crowd"), ("gpt3", "gpt3")):
        expected = published(folder, judge)
        assert found[source].keys() == expected.keys()
        worst = max(abs(found[source][model] - score) for model, score in expected.items())
        assert worst < 1e-5
    expected = published(folder, "gpt4")
    assert by_score(found["gpt4"]) == by_score(expected)


def scores(models: list[dict]) -> dict[str, float]:
    """The published form of a rating: shares of the exponentiated strengths."""
    odds = {each["model"]: 10 ** (each["rating"] / 400) for each in models}
    whole = sum(odds.values())
    return {model: each / whole for model, each in odds.items()}


def published(folder: Path, judge: str) -> dict[str, float]:
    with (folder / "published_leaderboard.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["judge"] == judge]
    return {row["model"]: float(row["score"]) for row in rows}


def by_score(scores: dict[str, float]) -> list[str]:
    return sorted(scores, key=lambda model: -scores[model])
