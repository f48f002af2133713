"""Language models as judges: records in, records out. Knows no table, no endpoint and no page."""

from judges.asking import Asker, Reply, Request, both_orders
from judges.errors import JudgeError, UnknownAnswerError
from judges.pairing_of_orders import Together, read_together
from judges.parsing import read_reply, read_verdict
from judges.record import Decoder, Judge, Judgment, Order, Status, Verdict
from judges.scripted import ScriptedJudge

__all__ = [
    "Asker",
    "Decoder",
    "Judge",
    "JudgeError",
    "Judgment",
    "Order",
    "Reply",
    "Request",
    "ScriptedJudge",
    "Status",
    "Together",
    "UnknownAnswerError",
    "Verdict",
    "both_orders",
    "read_reply",
    "read_together",
    "read_verdict",
]
