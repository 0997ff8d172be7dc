"""How long jobs may take, when a worker counts as lost, and how long ended jobs are kept."""

from dataclasses import dataclass
from datetime import timedelta

# A worker reports so often, from a thread of its own.
REPORT_SECONDS = 5.0
# What a job has counted is written, and a cancellation noticed, so often.
PROGRESS_SECONDS = 1.0
# A job whose message no worker took is sent again. The old message expires then: were it taken
# after the new one, a job that waits for another try would get it too early.
RESEND = timedelta(seconds=60)
# No report for so long while no worker is alive at all: its worker is lost, whatever the kind.
WORKERLESS = timedelta(seconds=30)


# No job waits longer for its next try: one that does was put off by a clock that was wrong.
PUT_OFF_AT_MOST = timedelta(hours=2)


@dataclass(frozen=True, kw_only=True)
class Limits:
    """longest: the time limit of a worker's task; winding_up: the part of it that remains when the
    job is told to stop. silence: no report for so long means that the worker was killed. attempts:
    how often the job is taken up by itself. kept: for how long after its end."""

    longest: timedelta = timedelta(minutes=30)
    winding_up: timedelta = timedelta(minutes=1)
    silence: timedelta = timedelta(seconds=30)
    attempts: int = 3
    kept: timedelta = timedelta(days=1)


USUAL = Limits()
# Thousands of replies of a slow model. Why some texts are missing is looked up while a study is
# prepared.
_WRITING = Limits(longest=timedelta(hours=6), kept=timedelta(days=90))
# The kinds that deviate, each with its reason.
_OTHERS = {
    # Millions of rows take hours, and taking them back minutes. On SQLite the last transaction
    # holds the write lock, so that no report gets through. People come back days later to see what
    # was left out.
    "import": Limits(
        longest=timedelta(hours=3),
        winding_up=timedelta(minutes=10),
        silence=timedelta(minutes=3),
        kept=timedelta(days=14),
    ),
    # As what was imported: a million units take an hour to go, and are not missed.
    "remove_study": Limits(longest=timedelta(hours=3)),
    "write_texts": _WRITING,
    "propose_lists": _WRITING,
    # A recipient may be away for hours. The page lists the messages of three months.
    "delivery": Limits(attempts=8, kept=timedelta(days=90)),
}


def limits_of(kind: str) -> Limits:
    """The limits of a kind of job."""
    return _OTHERS.get(kind, USUAL)
