"""Studies that say little, or nothing: each gets one plain sentence, and no number that is none."""

import csv
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random

import pytest
from django.core.management import call_command
from django.utils import timezone

from annotation.models import Participation, Study
from annotation.rights.withdrawal import withdraw
from annotation.rounds.opening import close_study, open_study
from annotation.work.demand import ask_again
from annotation.work.steps import Steps
from annotation.work.submission import submit
from estimates.report.cache import report_of
from estimates.report.newest import newest_report
from results.reading.planned_tests import planned_tests
from results.summary.screen import COMPLETE, Screen, screen_of
from tests.annotation.workers import answer_step, lease, newcomer
from tests.cast import make_study
from tests.results.imported import import_raters
from tests.results.preferences import compared
from tests.results.summary.said import NO_NUMBER, cards, words

pytestmark = pytest.mark.django_db
SYSTEMS, PEOPLE, JUDGE = ("Alder", "Birch"), ("ada", "bob", "cyd"), "gpt"
Points = Callable[[str, int, str], int]
LOST = {"first": "second", "second": "first"}
PAIRS = (("Alder", "Birch"), ("Birch", "Cedar"), ("Alder", "Cedar"))


def noisy(rater: str, source: int, system: str) -> int:
    """Points from 1 to 5, those of Birch a little higher."""
    own = Random(f"{source}{system}").randint(1, 4)
    return own + (Random(f"{rater}{source}{system}").random() < (0.7 if system == "Birch" else 0.3))


def same(rater: str, source: int, system: str) -> int:
    """Of both systems what Alder would get."""
    return noisy(rater, source, "Alder")


def ahead(rater: str, source: int, system: str) -> int:
    """Birch is one point ahead everywhere."""
    return same(rater, source, system) + (system == "Birch")


def flat(rater: str, source: int, system: str) -> int:
    return 3


def rated(
    folder: Path,
    points: Points = noisy,
    *,
    judge: Points = noisy,
    people: tuple[str, ...] = PEOPLE,
    systems: tuple[str, ...] = SYSTEMS,
    sources: int = 12,
    epsilon: float = 0.1,
) -> Study:
    """Everybody, and a judge, rates each system's text of every source."""

    def rows() -> Iterator[tuple[object, ...]]:
        for source in range(sources):
            for system in systems:
                about = (f"d{source}", system, "quality")
                for person in people:
                    yield *about, person, "human", points(person, source, system)
                yield *about, JUDGE, "judge", judge(JUDGE, source, system)

    path = folder / "ratings.csv"
    with path.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(("item", "system", "criterion", "rater", "kind", "rating"))
        table.writerows(rows())
    call_command("import_study", "ratings", str(path), slug="s", verbosity=0)
    Study.objects.filter(slug="s").update(epsilon=epsilon)
    return Study.objects.get(slug="s")


@pytest.mark.parametrize(
    ("study", "expected"),
    [
        (
            partial(rated, people=("ada",)),
            (
                "Only one person answered. Agreement needs at least two.",
                "Whether gpt does as well as another person cannot be said.",
                "",
            ),
        ),
        (partial(rated, systems=("Alder",)), ("", "", "There is only one system.")),
        (
            partial(rated, sources=1),
            (
                "Agreement is undefined: fewer than 3 units with two ratings.",
                "is open: their agreement",
                "No test of systems: too few sources (1, 5 are needed). |  |  | Plan more sources.",
            ),
        ),
        (
            partial(rated, judge=flat),
            ("", "gpt is farther from these 3 people than they are from each other", ""),
        ),
        (
            partial(rated, points=flat, judge=flat),
            (
                "Everybody gave the same answer to every unit",
                "No verdict on gpt: no variation: one side always has the same value.",
                "No difference: Alder and Birch come out alike on each of 12 shared sources.",
            ),
        ),
        (
            partial(rated, points=same),
            ("", "", "No difference: Alder and Birch come out alike on each of 12 shared sources."),
        ),
        (
            partial(rated, points=ahead),
            (
                "",
                "",
                "Birch is rated higher than Alder by 1.00 on each of 12 shared sources.",
            ),
        ),
        (
            partial(rated, sources=40, epsilon=0),
            ("", "With ε = 0 no number of units can show that a judge is as near", ""),
        ),
    ],
    ids=[
        "one rater",
        "one system",
        "one source",
        "a constant judge",
        "all alike",
        "no difference",
        "the same difference everywhere",
        "ε of 0",
    ],
)
def test_it_is_said_in_one_sentence(
    study: Callable[[Path], Study], expected: tuple[str, ...], tmp_path: Path
) -> None:
    for text, part in zip(cards(study(tmp_path)), expected, strict=True):
        assert part in text
        assert not NO_NUMBER.search(text), text


def test_two_people_who_share_nothing_do_not_agree_or_disagree(tmp_path: Path) -> None:
    first, second = ({f"{name}{n}": n % 5 + 1 for n in range(20)} for name in "ab")
    given = {"ada": first, "bob": second}
    study = import_raters(tmp_path, given, {JUDGE: {**first, **second}}, level="ordinal")
    people, judge, _systems = cards(study)
    assert people.startswith("No unit was answered by two people")
    assert people.endswith("Have two people or more answer the same units.")
    assert "No verdict on gpt: no unit with the judge and two people." in judge


def test_a_circle_of_systems_is_named(tmp_path: Path) -> None:
    """Alder beats Birch, who beats Cedar, who beats Alder, eight times in ten."""
    won = dict(zip(PAIRS, ("first", "first", "second"), strict=True))
    units = {f"u{n}{first}{second}": (first, second) for n in range(30) for first, second in PAIRS}
    given = {
        who: {
            unit: won[pair] if Random(who + unit).random() < 0.8 else LOST[won[pair]]
            for unit, pair in units.items()
        }
        for who in PEOPLE
    }
    systems = cards(compared(tmp_path, given, units))[2]
    assert "in a circle: Alder beats Birch, Birch beats Cedar, Cedar beats Alder" in systems


def test_all_ties_are_no_difference_and_nobody_copied(tmp_path: Path) -> None:
    units = {f"u{n}": pair for n, pair in enumerate(PAIRS * 10)}
    given = {who: dict.fromkeys(units, "tie") for who in PEOPLE}
    people, _judge, systems = cards(compared(tmp_path, given, units))
    assert people.startswith("Everybody gave the same answer to every unit")
    assert "copied" not in people
    assert systems.startswith("No difference: systems come out alike on every source")


def test_nothing_is_planned_from_differences_that_do_not_vary(tmp_path: Path) -> None:
    assert planned_tests(report_of(rated(tmp_path, points=ahead)).rows) == []


def worked(study: Study, people: int) -> list[Participation]:
    """All units, by so many people."""
    workers = [newcomer(study) for _ in range(people)]
    for at, worker in enumerate(workers):
        batch = lease(worker)
        for number, step in enumerate(Steps(batch).unanswered):
            answer_step(step, {"value": [str(10 * number + at + 5)]})
        submit(assignment=batch, now=timezone.now())
    return workers


@pytest.fixture
def complete() -> Study:
    """Opened for two answers to each of six units."""
    blocks: list[tuple[str, dict[str, object]]] = [("slider", {})]
    study = make_study(sources=6, overlap=2, per_batch=6, blocks=blocks, state=Study.State.DRAFT)
    open_study(study=study)
    study.refresh_from_db()
    return study


def shown(study: Study) -> Screen:
    study.refresh_from_db()
    report = newest_report(study)
    assert report is not None
    return screen_of(study, report)


def test_more_answers_than_planned_bring_back_the_intervals_of_every_look(complete: Study) -> None:
    worked(complete, 2)
    assert shown(complete).notes == [COMPLETE]
    ask_again(study=complete, units=list(complete.units.values_list("pk", flat=True)), more=1)
    worked(complete, 1)
    (note,) = shown(complete).notes
    assert note.startswith("More answers were counted than were planned when the study opened")


def test_answers_withdrawn_after_the_verdict_are_told_and_in_no_figure(complete: Study) -> None:
    first, second = worked(complete, 2)
    assert "Close the study" in words(shown(complete).cards[0])
    withdraw(participation=first, now=timezone.now())
    for _ in range(2):  # open, then closed
        screen = shown(complete)
        assert screen.notes == ["6 answers were withdrawn and are in no figure."]
        assert words(screen.cards[0]).startswith("Only one person answered.")
        assert "Close the study" not in words(screen.cards[0])
        close_study(study=complete)
    withdraw(participation=second, now=timezone.now())
    screen = shown(complete)
    assert screen.notes == ["12 answers were withdrawn and are in no figure."]
    assert not NO_NUMBER.search(" ".join(map(words, screen.cards)))
