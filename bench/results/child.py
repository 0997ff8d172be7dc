"""In the child: fill a database, then do what every line asks for and print what it took."""

import json
import resource
import sys
import time
from collections.abc import Callable, Iterator
from itertools import cycle
from typing import TYPE_CHECKING, Any

from bench.results.study import build

if TYPE_CHECKING:
    from annotation.models import Question, Rater, Study

# Raters who come after all others, and answer one question after the other.
NEWCOMERS = 10
UNITS = (
    "?facet=recovery&raters=humans",
    "?facet=utility&raters=humans",
    "?facet=recovery&raters=humans~lexical",
    "?facet=utility&raters=humans&system=System+1&page=3",
)


class Program:
    """The program with its one study, and a researcher signed in."""

    def __init__(self, study: "Study") -> None:
        from django.test import Client

        from annotation.models import Member
        from tests.cast import join, make_user

        self.study = study
        owner = make_user("owner")
        join(study, owner, Member.Role.OWNER)
        self.client = Client(headers={"host": "localhost"})
        self.client.force_login(owner)
        self.answers = _unanswered(study)
        self.pages = cycle(UNITS)

    def store(self, times: int) -> list[float]:
        """Seconds of each answer stored, its ratings and the study's revision included."""
        return [_timed(self._store) for _ in range(times)]

    def view(self, times: int) -> list[float]:
        """Seconds of the results page, each after one more answer."""
        return [self._after_one_more("dashboard") for _ in range(times)]

    def units(self, times: int) -> list[float]:
        return [self._after_one_more("units", next(self.pages)) for _ in range(times)]

    def plan(self, times: int) -> list[float]:
        """Seconds of the plan of the next study, with this one as its pilot."""
        return [self._planned() for _ in range(times)]

    def recount(self, _times: int) -> dict[str, float]:
        """What the background worker does."""
        from estimates.models import KeptRatings
        from estimates.report.cache import kept_report
        from estimates.report.recount import recount

        cpu = time.process_time()
        seconds = _timed(lambda: recount(study=self.study))
        cpu = time.process_time() - cpu
        report = kept_report(self.study)
        assert report is not None
        assert not report.outdated
        kept = KeptRatings.objects.values_list("columns", flat=True)
        return {
            "seconds": seconds,
            "cpu": cpu,
            "rows": len(report.rows),
            "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
            "kept_mb": sum(map(len, kept)) / 1e6,
        }

    def _store(self) -> None:
        from annotation.answers.record import GivenAnswer, record_answers

        rater, question = next(self.answers)
        slider = question.block.position == 1
        answer = {"value": 40} if slider else {"sentences": [0, 1]}
        given_answer = GivenAnswer(question, question.typed_answer(answer))
        record_answers(rater=rater, given=[given_answer])

    def _planned(self) -> float:
        from django.urls import reverse

        address = reverse("results:plan", args=[self.study.slug])
        shown = []
        seconds = _timed(
            lambda: shown.append(self.client.get(address, {"facet": "utility", "width": "0.1"}))
        )
        assert "Sizes for studies with" in shown[0].content.decode()
        return seconds

    def _after_one_more(self, page: str, query: str = "") -> float:
        from django.urls import reverse

        self._store()
        address = reverse(f"results:{page}", args=[self.study.slug]) + query
        shown = []
        seconds = _timed(lambda: shown.append(self.client.get(address)))
        assert shown[0].status_code == 200, shown[0].status_code
        assert "Newer answers are being counted" in shown[0].content.decode()
        return seconds


def _unanswered(study: "Study") -> Iterator[tuple["Rater", "Question"]]:
    from annotation.models import Question, Rater

    questions = list(
        Question.objects.filter(study=study).select_related("block", "unit").order_by("-pk")[:200]
    )
    for name in range(NEWCOMERS):
        rater = Rater.objects.create(study=study, name=f"newcomer-{name}", kind="human")
        for question in questions:
            yield rater, question


def _timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def main(annotations: int) -> None:
    """One JSON line for every line `WORK TIMES` that comes in."""
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    program: Any = Program(build(annotations))
    for line in sys.stdin:
        what, times = line.split()
        print(json.dumps(getattr(program, what)(int(times))), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
