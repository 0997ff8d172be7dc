"""What is to be done about probe sets every few seconds."""

from datetime import datetime

from judges.probes.askings import ask_what_is_due
from judges.probes.checks import check_what_ended


def sweep_probes(*, now: datetime) -> None:
    """Compare the askings that have ended, and begin those that are due."""
    check_what_ended(now=now)
    ask_what_is_due(now=now)
