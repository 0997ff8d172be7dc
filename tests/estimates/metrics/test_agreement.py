"""Agreement as rows, where it takes more than handing the ratings over."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command

from annotation.models import Round, Study
from estimates.data.database import from_database
from estimates.data.options import Options
from estimates.kept.columns import keep_columns, kept_ratings
from estimates.metrics.systems.ranks import Orders
from tests.cast import make_study
from tests.results.answers import choose, make_rater, questions, rate
from tests.results.estimates import estimate_study
from tests.results.preferences import HALF, compared, import_study

QUICK = Options(resamples=20)


def value(study: Study, metric: str, raters: str = "humans") -> float:
    found = estimate_study(study, QUICK).rows
    (row,) = [r for r in found if (r.metric, r.raters, r.group) == (metric, raters, {})]
    return float(row.estimate)


@pytest.mark.parametrize(
    "systems",
    [
        {},
        {
            "u0": ("Alder", "Birch"),
            "u1": ("Alder", "Cedar"),
            "u2": ("Birch", "Cedar"),
            "u3": ("Larch", "Maple"),
        },
    ],
)
def test_items_that_never_meet_make_no_preference_less_likely(
    db: None, tmp_path: Path, systems: dict[str, tuple[str, str]]
) -> None:
    """Two of four units agree, and each side has 4 of 8 votes. Observed disagreement 1/2,
    expected 2·4·4/(8·7) = 4/7, so alpha is 1 - 7/8; the kappas expect 1/2 and are 0."""
    study = compared(tmp_path, HALF, systems)

    assert value(study, "raw_agreement") == 1 / 2
    assert value(study, "krippendorff_alpha_nominal") == pytest.approx(1 / 8)
    assert value(study, "agreement_with_others", "ada") == pytest.approx(1 / 8)
    for metric in ("fleiss_kappa", "gwet_ac1"):
        assert value(study, metric) == pytest.approx(0)
    assert value(study, "cohen_kappa", "ada~bob") == pytest.approx(0)


def test_facets_of_one_name_are_not_mixed(db: None) -> None:
    """Files with two such blocks are refused, but a study may be older than that."""
    study = make_study()
    other = study.blocks.get(position=0)
    other.task_type_slug, other.options = "slider", {"high": 10}
    other.save()
    ada = make_rater(study, "ada")
    other.questions.all().delete()
    for question in questions(study, block=1):
        rate(ada, question, 80)

    found = [row for row in estimate_study(study, QUICK).rows if row.facet == "utility"]

    assert {row.metric for row in found if row.estimate.value is not None} <= {"median_seconds"}
    (alpha,) = [row for row in found if row.metric == "krippendorff_alpha_interval"]
    assert alpha.estimate.undefined is not None
    assert alpha.estimate.undefined.startswith("two blocks have a facet of this name")


def test_the_comparisons_that_each_system_wins_compare_them(db: None, tmp_path: Path) -> None:
    """Alder wins two of three against Birch and one is a tie: (1 + 1 + 1/2) / 3 = 5/6, the
    difference is 5/6 - 1/6."""
    given = {"ada": {"u0": "first", "u1": "second", "u2": "tie"}}
    systems = dict.fromkeys(("u0", "u2"), ("Alder", "Birch")) | {"u1": ("Birch", "Alder")}
    rows = estimate_study(compared(tmp_path, given, systems), QUICK).rows

    shares = {
        row.group["system"]: row.estimate.value
        for row in rows
        if (row.metric, row.raters) == ("win_share", "humans") and row.group.keys() == {"system"}
    }
    (apart,) = [r.estimate for r in rows if (r.metric, r.raters) == ("mean_difference", "humans")]

    assert shares == {"Alder": pytest.approx(5 / 6), "Birch": pytest.approx(1 / 6)}
    assert apart.value == pytest.approx(4 / 6)
    assert apart.n_units == 3
    assert not [row for row in rows if row.metric == "win_share" and not row.group]


def test_the_side_of_a_preference_goes_by_name_and_a_tie_has_none(db: None, tmp_path: Path) -> None:
    given = {"ada": {"u0": "first", "u1": "first", "u2": "tie"}}
    study = compared(tmp_path, given, {"u0": ("Birch", "Alder"), "u1": ("Alder", "Birch")})
    data = from_database(study)

    ratings = data.ratings["preference"]
    keep_columns(study, 1, data)
    kept = kept_ratings(study, ratings.facet)

    assert ratings.side.tolist() == [1, 0, -1]
    assert kept is not None
    assert np.array_equal(kept.ratings.side, ratings.side)


def test_whole_orders_agree_by_the_pairs_that_they_turn(db: None, tmp_path: Path) -> None:
    """Both say x y z of the first unit and z y x of the second; of the third one of them each.
    Observed 1/3, expected 2·3·3/(6·5) = 3/5: alpha is 1 - 5/9."""
    lines = ["item,rater,x,y,z", "1,a,1,2,3", "1,b,1,2,3", "2,a,3,2,1", "2,b,3,2,1"]
    (tmp_path / "r.csv").write_text("\n".join([*lines, "3,a,1,2,3", "3,b,3,2,1"]))
    call_command("import_study", "ranks", str(tmp_path / "r.csv"), slug="r", verbosity=0)
    study = Study.objects.get(slug="r")

    assert value(study, "krippendorff_alpha_kendall") == pytest.approx(4 / 9)
    assert value(study, "krippendorff_alpha_kendall", "a~b") == pytest.approx(4 / 9)


def test_orders_of_different_systems_cannot_be_compared() -> None:
    """An order of x and y says nothing about one of x and z."""
    nobody = np.arange(2)
    assert Orders(nobody, nobody, nobody, [{1: 1.0, 2: 2.0}, {2: 1.0, 1: 2.0}]).of_the_same
    assert not Orders(nobody, nobody, nobody, [{1: 1.0, 2: 2.0}, {1: 1.0, 3: 2.0}]).of_the_same


def test_a_judge_stands_beside_what_people_said_in_a_round(db: None) -> None:
    """In the main round they say the same of two questions, in a later one not of the third; the
    judge has no round."""
    study = make_study()
    main = study.rounds.get()
    later = Round.objects.create(study=study, position=1, name="later", normal_per_batch=1)
    first, second, third = questions(study)
    ada, lexical = make_rater(study, "ada"), make_rater(study, "lexical", "judge")
    for question, stage in ((first, main), (second, main), (third, later)):
        choose(ada, question, 0, 2, round_=stage)
    choose(lexical, first, 0, 2)
    choose(lexical, second, 0, 2)
    choose(lexical, third, 1)

    found = {
        str(row.group["round"]): (row.estimate.value, row.estimate.n_units)
        for row in estimate_study(study, QUICK).rows
        if (row.metric, row.raters) == ("raw_agreement", "humans~lexical") and "round" in row.group
    }

    assert found == {"main": (1, 2), "later": (0, 1)}


def test_the_first_answer_that_there_is_counts_and_runs_are_compared(db: None) -> None:
    """Of two runs over three questions the first brought no answer to the third one; of the two
    that both answered they say the same once."""
    study = make_study()
    first, second, third = questions(study)
    ada, lexical = make_rater(study, "ada"), make_rater(study, "lexical", "judge")
    for question in (first, second, third):
        choose(ada, question, 0, 2)
    choose(lexical, first, 0, 2)
    choose(lexical, first, 0, 2, replicate=1)
    choose(lexical, second, 0, 2)
    choose(lexical, second, 1, replicate=1)
    choose(lexical, third, 1, replicate=1)

    rows = {
        (r.metric, r.raters): r.estimate for r in estimate_study(study, QUICK).rows if not r.group
    }

    between = rows["raw_agreement", "humans~lexical"]
    assert between.value == pytest.approx(2 / 3)
    assert between.n_units == 3
    runs = rows["run_to_run_agreement", "lexical"]
    assert (runs.value, runs.n_units, runs.n_raters) == (1 / 2, 2, 1)
    assert ("run_to_run_alpha_jaccard", "lexical") in rows


def test_a_majority_of_nothing_is_none_like_a_judges(db: None) -> None:
    """Two people choose one right sentence each, so no sentence has more than half; the judge
    says that there is none."""
    study = make_study(sources=1)
    (question,) = questions(study)
    choose(make_rater(study, "ada"), question, 0)
    choose(make_rater(study, "bob"), question, 2)
    choose(make_rater(study, "lexical", "judge"), question)

    rows = estimate_study(study, Options(resamples=0, consensus="majority")).rows

    (row,) = [
        r
        for r in rows
        if (r.metric, r.raters, r.group) == ("raw_agreement", "humans~lexical", {})
        and r.facet == "recovery"
    ]
    assert row.estimate.value == 1


def test_two_labels_have_the_share_of_the_first(db: None, tmp_path: Path) -> None:
    """Of Alder's two sentences ada holds one to be supported, of Birch's one sentence none: 1/2
    and 0, on the whole 1/4. The longest run of one answer is two of three."""
    scale = {
        "key": "holds",
        "question": "Does it hold?",
        "distance": "nominal",
        "points": [{"value": "yes"}, {"value": "no"}],
    }
    block = {"task_type": "likert", "options": {"per_sentence": True, "criteria": [scale]}}
    lines: list[dict[str, Any]] = [{"study": {"blocks": [block]}}]
    for system, text in (("Alder", "It rained. It did so for long."), ("Birch", "It was dry.")):
        item = {"key": f"u/{system}", "system": system, "text": text}
        source = {"key": "u", "claim": "It rained."}
        lines.append({"source": source, "items": [item], "unit": {"key": f"u/{system}"}})
    said = (("u/Alder", ["yes", "no"]), ("u/Birch", ["no"]))
    answers = [
        {
            "unit": unit,
            "rater": "ada",
            "kind": "human",
            "answer": {"scores": {"holds": given}},
        }
        for unit, given in said
    ]
    rows = estimate_study(import_study(tmp_path, lines, answers), QUICK).rows

    shares = {
        row.group.get("system", ""): row.estimate.value
        for row in rows
        if (row.metric, row.raters) == ("share", "humans") and row.group.keys() <= {"system"}
    }
    found = {(r.metric, r.raters): r.estimate.value for r in rows if not r.group}
    assert shares == {"": 1 / 4, "Alder": 1 / 2, "Birch": 0}
    assert found["straight_lining", "ada"] == pytest.approx(2 / 3)
    pair = {"system": "Alder", "other_system": "Birch"}
    (apart,) = [r for r in rows if (r.metric, r.group) == ("mean_difference", pair)]
    assert apart.estimate.value == 1 / 2


def test_none_may_be_apart_from_what_lies_outside_the_reference(db: None) -> None:
    """A person says that no sentence fits, the judge names a wrong one: as published both are one
    label, apart they differ."""
    study = make_study(sources=1)
    (question,) = questions(study)
    for name in ("ada", "bob"):
        choose(make_rater(study, name), question)
    choose(make_rater(study, "lexical", "judge"), question, 1)

    def same_answer(*, none_apart: bool) -> float | None:
        rows = estimate_study(study, Options(resamples=0, none_apart=none_apart)).rows
        (row,) = [
            row
            for row in rows
            if (row.metric, row.raters, row.group) == ("raw_agreement", "humans~lexical", {})
            and row.facet == "recovery"
        ]
        return row.estimate.value

    assert same_answer(none_apart=False) == 1
    assert same_answer(none_apart=True) == 0
