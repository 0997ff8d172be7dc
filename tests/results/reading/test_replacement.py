"""What is said of judges that were tested: never from one threshold alone."""

from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest

from agreement import Estimate
from annotation.models import Study
from estimates.data.options import Options
from estimates.report.cache import report_of
from results.dashboard import page_of, sections_of
from results.reading.judges import Judge
from results.reading.replacement import replacement_sentence
from results.reading.wording import plain
from results.tables.choice import PageFilter
from tests.results.dashboard.pages import panel_of
from tests.results.imported import by_rater, import_raters
from tests.results.two_judges import import_two_judges


def sentences(study: Study) -> list[str]:
    report = report_of(study, Options(resamples=200))
    page = page_of(study, list(study.blocks.all()), report, PageFilter())
    return [plain(text) for text in panel_of(sections_of(page), "replacing-rating").words]


def test_the_two_judges_are_told_by_their_harm_and_not_apart(db: None, tmp_path: Path) -> None:
    balanced, lenient, epsilon = sentences(import_two_judges(tmp_path))

    assert lenient.startswith("lenient passes the alternative annotator test against humans, given")
    assert "it does as well as 100 % of the 3 people compared" in lenient
    assert "It passes 36 % of what people fail (finds 0.64, 0.51 to 0.75, n = 61)." in lenient
    assert "It fails 7 % of what people pass" in lenient
    assert "People’s answers: yes 70 % (139) and no 30 % (61)." in lenient
    assert "cannot be told apart from balanced by the test." in lenient
    assert balanced.startswith("Whether balanced passes")
    assert "It passes 20 % of what people fail" in balanced
    assert "cannot be told apart from lenient" in balanced
    for text in (lenient, balanced):
        assert " may replace" not in text
        assert " may not" not in text
    assert "0.15 of skilled annotators" in epsilon
    assert epsilon.startswith("ε = 0.1 ")


def test_a_judge_that_always_says_yes_is_said_to_pass_everything(db: None, tmp_path: Path) -> None:
    """Of 97 % yes it misses little; of the two units that fail nothing can be said."""
    votes = "yes " * 62 + "no no"
    people = {name: numbered(votes.split()) for name in ("ada", "bob", "cyd")}
    study = import_raters(tmp_path, people, {"gpt": numbered(["yes"] * 64)}, level="nominal")

    (gpt, _epsilon) = sentences(study)

    assert "It passes 100 % of what people fail" in gpt
    assert "yes 97 % (62) and no 3 % (2); too few of the rarer one to tell" in gpt


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

    assert "3 people compared (of 5; the others have too few units)" in gpt


def test_of_several_labels_it_names_the_one_that_is_missed_most(db: None, tmp_path: Path) -> None:
    people = by_rater(**dict.fromkeys(("ada", "bob", "cyd"), "a" * 20 + "b" * 20 + "c" * 20))
    judges = by_rater(gpt="a" * 20 + "b" * 18 + "aa" + "c" * 5 + "a" * 15)

    (gpt, _epsilon) = sentences(import_raters(tmp_path, people, judges, level="nominal"))

    assert "It misses 75 % of what people call c (finds 0.25, 0.11 to 0.47, n = 20)." in gpt


@pytest.mark.parametrize(
    ("rate", "bounds", "begins"),
    [
        (
            0.6,
            (0.0, 0.2),
            "gpt passes the alternative annotator test against humans, given ε = 0.1",
        ),
        (0.5, (0.0, 0.2), "gpt passes"),
        (0.49, (0.05, 0.3), "Whether gpt passes"),
        (0.2, (None, None), "Whether gpt passes"),
        (0.2, (0.15, 0.3), "gpt fails"),
        (
            None,
            (None, None),
            "gpt and humans: the alternative annotator test is inconclusive (few).",
        ),
    ],
)
def test_a_low_rate_is_a_finding_only_where_the_lead_of_people_is_surely_above_epsilon(
    rate: float | None, bounds: tuple[float | None, float | None], begins: str
) -> None:
    won = Estimate.missing("few") if rate is None else Estimate(value=rate, n_raters=5)
    gap = Estimate(value=0.18, low=bounds[0], high=bounds[1])
    said = plain(replacement_sentence(Judge("gpt", rate=won, gap=gap), 0.1, "humans"))
    assert said.startswith(begins)
    assert ("and half are needed" in said) == begins.startswith("Whether")
