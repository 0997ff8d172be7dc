"""What the page says of judges: never from one threshold alone."""

from collections.abc import Mapping
from pathlib import Path
from random import Random

from annotation.models import Study
from estimates.data.options import Options
from estimates.report.cache import report_of
from results.dashboard import page_of, sections_of
from results.tables.choice import Choice
from tests.results.dashboard.pages import panel_of
from tests.results.imported import by_rater, import_raters
from tests.results.two_judges import import_two_judges


def sentences(study: Study) -> list[str]:
    report = report_of(study, Options(resamples=200))
    page = page_of(study, list(study.blocks.all()), report, Choice())
    return list(panel_of(sections_of(page), "replacing-rating").words)


def test_the_two_judges_are_told_by_their_harm_and_not_apart(db: None, tmp_path: Path) -> None:
    balanced, lenient, epsilon = sentences(import_two_judges(tmp_path))

    assert lenient.startswith("lenient is as near to the humans as one of them")
    assert "it beats 100 % of the 3 people compared" in lenient
    assert "It passes 36 % of what people fail (true negative rate 0.639, 0.514 to" in lenient
    assert "It fails 7 % of what people pass" in lenient
    assert "People say yes to 70 % (139 yes, 61 no)." in lenient
    assert "overlaps that of balanced: the test does not tell them apart" in lenient
    assert balanced.startswith("Not shown that balanced is as near")
    assert "It passes 20 % of what people fail" in balanced
    assert "overlaps that of lenient" in balanced
    for text in (lenient, balanced):
        assert " may replace" not in text
        assert " may not" not in text
    assert "0.15 of skilled annotators" in epsilon
    assert "Here it is 0.1;" in epsilon


def test_a_judge_that_always_says_yes_is_said_to_pass_everything(db: None, tmp_path: Path) -> None:
    """Of 97 % yes it misses little; of the two units that fail nothing can be said."""
    votes = "yes " * 62 + "no no"
    people = {name: numbered(votes.split()) for name in ("ada", "bob", "cyd")}
    study = import_raters(tmp_path, people, {"gpt": numbered(["yes"] * 64)}, level="nominal")

    (gpt, _epsilon) = sentences(study)

    assert "It passes 100 % of what people fail" in gpt
    assert "(62 yes, 2 no); that is too few of the rarer to tell" in gpt


def numbered(values: list[str]) -> Mapping[str, str]:
    return {f"u{at}": value for at, value in enumerate(values)}


def test_of_many_people_it_says_how_many_were_compared(db: None, tmp_path: Path) -> None:
    """Three have 30 units, two have five."""
    draw = Random(1)
    people = by_rater(
        **{name: "".join(draw.choices("yn", k=30)) for name in ("ada", "bob", "cyd")},
        **dict.fromkeys(("dan", "eve"), "yynny"),
    )
    judges = by_rater(gpt="".join(draw.choices("yn", k=30)))

    (gpt, _epsilon) = sentences(import_raters(tmp_path, people, judges, level="nominal"))

    assert "3 people compared (of 5, the others with too few units)" in gpt


def test_of_several_labels_it_names_the_one_that_is_missed_most(db: None, tmp_path: Path) -> None:
    people = by_rater(**dict.fromkeys(("ada", "bob", "cyd"), "a" * 20 + "b" * 20 + "c" * 20))
    judges = by_rater(gpt="a" * 20 + "b" * 18 + "aa" + "c" * 5 + "a" * 15)

    (gpt, _epsilon) = sentences(import_raters(tmp_path, people, judges, level="nominal"))

    assert "It misses 75 % of what people call “c” (0.250, 0.112 to 0.469, n = 20)." in gpt
