"""What can go wrong while judging.

JudgeError
└── UnknownAnswerError    a scripted judge was shown an answer that it was given no opinion of
"""


class JudgeError(Exception):
    """A judge, its template or its script is wrong."""


class UnknownAnswerError(JudgeError):
    """A scripted judge was shown an answer that it was given no opinion of."""

    def __init__(self, item: str, answer: str) -> None:
        super().__init__(
            f"The script says nothing of the answer {answer[:40]!r} in {item!r}. "
            "Give the judge a skill for every answer that it will be shown."
        )
        self.item = item
        self.answer = answer
