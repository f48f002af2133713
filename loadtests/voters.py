"""Locust: people who vote. They read two answers in no time at all, which people do not."""

import re

from locust import HttpUser, constant, task

HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)"')


class Voter(HttpUser):
    """Draws a battle, votes, and looks at the names; then the next one."""

    wait_time = constant(0.5)

    @task
    def vote(self) -> None:
        start = self.client.get("/vote?board=demo", name="/vote")
        page = self.send(start.text, "/battles", "draw", board="demo")
        path = re.search(r'action="(/battles/[^"/]+)/vote"', page)
        if path is None:
            return
        saved = self.send(page, f"{path[1]}/vote", "vote", outcome="a")
        self.send(saved, f"{path[1]}/reveal", "reveal")

    def send(self, page: str, action: str, name: str, **fields: str) -> str:
        """Send the form of a page that has this action."""
        form = re.search(rf'<form[^>]*action="{re.escape(action)}"[^>]*>(.*?)</form>', page, re.S)
        hidden = dict(HIDDEN.findall(form[1])) if form else {}
        answer = self.client.post(action, data=hidden | fields, name=name)
        return str(answer.text)
