"""Voters whose votes are not what comparing answers gives."""

from ranking.anomalies.battery import TESTS, Battery, VoterTest
from ranking.anomalies.discoveries import e_bh
from ranking.anomalies.evidence import ALTERNATIVES, Alternative, Evidence
from ranking.anomalies.examination import Findings, examine_voters
from ranking.anomalies.reference import Reference, fit_reference, reference_of
from ranking.anomalies.votes import VoterVotes, by_voter

__all__ = [
    "ALTERNATIVES",
    "TESTS",
    "Alternative",
    "Battery",
    "Evidence",
    "Findings",
    "Reference",
    "VoterTest",
    "VoterVotes",
    "by_voter",
    "e_bh",
    "examine_voters",
    "fit_reference",
    "reference_of",
]
