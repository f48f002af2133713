"""Locust: people who read the board."""

from locust import HttpUser, between, task


class Viewer(HttpUser):
    """Reads the start page, a board, and what leads on from it."""

    wait_time = between(0.5, 2)

    @task(3)
    def board(self) -> None:
        self.client.get("/boards/demo")

    @task
    def front(self) -> None:
        self.client.get("/")

    @task
    def pairs(self) -> None:
        self.client.get("/boards/demo/pairs")
