"""The first screen of whole studies: which facet it shows, and what bad input leaves to be said."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from django.core.management import call_command

from annotation.models import Study
from annotation.rounds.collection import Standing
from estimates.report.cache import report_of
from results.summary.screen import screen_of
from tests.cast import make_study
from tests.results.answers import disagree, make_rater, questions, rate
from tests.results.imported import Answers, by_rater, import_raters
from tests.results.summary.crowded import crowded_report
from tests.results.summary.said import NO_NUMBER, cards, screen, words
from tests.results.two_judges import import_two_judges

pytestmark = pytest.mark.django_db


def test_the_two_judges_get_verdicts_that_name_the_harm_and_their_overlap(tmp_path: Path) -> None:
    _people, judges, _systems = cards(import_two_judges(tmp_path))
    assert "lenient is as near to these 3 people as they are to each other" in judges
    assert "passes 36 % of what people fail (finds 0.64, 0.51 to 0.75, n = 61)" in judges
    assert "The same holds for people like them (" in judges
    assert "balanced: farther; whether by more than ε is open; it passes 20 %" in judges
    assert re.search(r"lenient \(advantage .*\) cannot be told apart from balanced", judges)
    assert " may " not in judges


def test_the_first_answered_facet_is_shown_and_the_address_may_name_another() -> None:
    study = disagree(make_study())
    assert [facet.name for facet in screen(study).facets] == ["recovery", "utility"]
    for asked, shown in (("", "recovery"), ("utility", "utility"), ("nonsense", "recovery")):
        facet = screen(study, asked).facet
        assert facet is not None
        assert facet.name == shown


def test_a_facet_that_people_answered_comes_before_an_earlier_one_that_they_did_not() -> None:
    study = make_study()
    rate(make_rater(study, "ada"), questions(study, block=1)[0], 10.0)
    facet = screen(study).facet
    assert facet is not None
    assert facet.name == "utility"


def test_a_facet_that_a_conclusion_names_is_what_the_study_is_about() -> None:
    study = disagree(make_study())
    study.conclusions = [{"text": "…", "metric": "utility/mean", "better": "A", "worse": "B"}]
    study.save()
    facet = screen(study).facet
    assert facet is not None
    assert facet.name == "utility"


@pytest.mark.parametrize(
    ("standing", "said"),
    [
        (Standing.COLLECTING, "so that you may look often"),
        (Standing.STOPPED, "closed before all planned answers were in"),
        (Standing.BEYOND, "More answers were counted than were planned"),
        (Standing.PLANNED, "All planned answers are in"),
    ],
)
def test_a_study_says_what_its_intervals_hold_for(standing: Standing, said: str) -> None:
    study = disagree(make_study())
    shown = screen_of(study, replace(report_of(study), standing=standing))
    (note,) = shown.notes
    assert said in note
    closes = "Close the study" in shown.cards[0].answer.steps[0].text
    assert closes == (standing is Standing.PLANNED)
    study.state = Study.State.CLOSED
    shown = screen_of(study, replace(report_of(study), standing=standing))
    assert bool(shown.notes) == (standing is not Standing.PLANNED)


HALF = "ab" * 20


@pytest.mark.parametrize(
    ("people", "judges", "expected"),
    [
        (
            {"ada": HALF},
            {"gpt": HALF},
            ("Only one person answered", "Whether gpt does as well as", "No text names the system"),
        ),
        (
            {"ada": "a" * 40, "bob": "a" * 40},
            {"gpt": "a" * 39 + "b"},
            ("Everybody gave the same answer", "Whether gpt", "No text names"),
        ),
        (
            {"ada": "ab", "bob": "a."},
            {},
            ("Agreement is undefined", "No judge has answered", "No text names"),
        ),
        (
            {"ada": HALF, "bob": HALF[::-1], "cyd": HALF},
            {"gpt": "." * 14 + HALF[14:]},
            ("Too little data to say", "gpt", "No text names"),
        ),
    ],
)
def test_what_cannot_be_said_is_said_without_a_verdict(
    people: dict[str, str], judges: dict[str, str], expected: tuple[str, ...], tmp_path: Path
) -> None:
    humans, machines = _named(people), _named(judges)
    study = import_raters(tmp_path, humans, machines, level="nominal")
    said = cards(study)
    for text, start in zip(said, expected, strict=True):
        assert start in text
        assert not NO_NUMBER.search(text), text


def test_where_judges_alone_answered_nothing_is_compared_with_them() -> None:
    study = make_study()
    for kind, name in (("judge", "gpt"), ("simulated", "program")):
        rater = make_rater(study, name, kind)
        for question in questions(study, block=1):
            rate(rater, question, 10.0)
    said = [words(card) for card in screen(study, "utility").cards]
    starts = ("There are no answers", "Only judges answered (gpt)", "There are no answers")
    for text, start in zip(said, starts, strict=True):
        assert text.startswith(start)
        assert not NO_NUMBER.search(text)
    assert "are simulated" in said[0]


def _named(given: dict[str, str]) -> Answers:
    return by_rater(**given)


def test_crowds_long_names_and_texts_from_right_to_left_are_cut_with_their_numbers() -> None:
    study = make_study(blocks=(("slider", {}),))
    (facet,) = study.blocks.get().facets
    shown = screen_of(study, crowded_report(study, facet))
    assert [card.drawn.more for card in shown.cards] == [
        "395 more people",
        "7 more judges",
        "24 more systems",
    ]
    for card in shown.cards:
        assert not NO_NUMBER.search(words(card))
        assert max(map(len, words(card).split(" | "))) < 400


def test_published_figures_are_told_as_published(tmp_path: Path) -> None:
    table = tmp_path / "published.csv"
    lines = ("study,system,rater,metric,value", "p,A,all,mean_rank,1.5", "p,B,all,mean_rank,1.9")
    table.write_text("\n".join(lines) + "\n")
    call_command("import_study", "summary", str(table), slug="paper", verbosity=0)
    people, judges, systems = cards(Study.objects.get(slug="paper"))
    assert "no agreement was published" in people
    assert "Not known" in judges
    assert "A 1.50, B 1.90. Not tested" in systems
