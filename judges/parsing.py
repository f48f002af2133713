"""Text to verdict, or to the reason why there is none. Unsure is a status, never a guess."""

import re
import unicodedata

from judges.asking import Reply
from judges.record import Judgment, Status, Verdict

LABEL = re.compile(r"\[\[(first|second|tie)\]\]")
INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff"))


def read_reply(reply: Reply) -> Judgment:
    """Return the judgment that a reply holds, or how it failed to hold one."""
    status, verdict = read_verdict(reply.text)
    return Judgment(reply.request.order, status, raw=reply.text, verdict=verdict)


def read_verdict(text: str) -> tuple[Status, Verdict | None]:
    """Return the verdict in the last line that has a label.

    A judge may quote a label while it reasons, so earlier lines do not count; two different labels
    in the deciding line are ambiguous.
    """
    if not text.strip():
        return Status.EMPTY, None
    visible = unicodedata.normalize("NFKC", text).translate(INVISIBLE).casefold()
    for line in reversed(visible.splitlines()):
        labels = set(LABEL.findall(line))
        if len(labels) == 1:
            return Status.OK, Verdict(labels.pop())
        if labels:
            return Status.AMBIGUOUS, None
    return Status.UNPARSED, None
