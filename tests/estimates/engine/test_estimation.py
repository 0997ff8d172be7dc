"""Every figure of a report: by hand, by definition, and by who may enter it."""

import json
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from agreement import Estimate
from annotation.models import Annotation, Item, Rater, Round, Study, Unit
from estimates.data.groups import SYSTEM
from estimates.data.options import Options
from estimates.data.rows import Row
from estimates.engine import estimation as engine
from estimates.statistics import samples
from estimates.statistics.statistic import Figure, Rated, Statistic, Statistics
from tests.cast import make_study
from tests.results.answers import choose, make_rater, questions, rate
from tests.results.estimates import estimate_study

QUICK = Options(resamples=20)


def rows(study: Study, options: Options = QUICK) -> tuple[Row, ...]:
    return estimate_study(study, options).rows


def the(found: tuple[Row, ...], metric: str, raters: str, **group: str) -> Row:
    """The one row of that name."""
    (row,) = [
        row
        for row in found
        if (row.metric, row.raters, row.group) == (metric, raters, group)
        and row.facet in ("recovery", "utility")
    ]
    return row


def value(found: tuple[Row, ...], metric: str, raters: str, **group: str) -> float | None:
    return the(found, metric, raters, **group).estimate.value


def test_scores_are_averaged_within_a_unit_then_within_an_item(db: None) -> None:
    """Reference {0, 2} everywhere. Item 1: F1 of {0, 2} and {0} are 1 and 2/3, mean 5/6; item 2:
    F1 of "none" is 0. So F1 is 5/12, precision (1 + 0)/2, recall (3/4 + 0)/2."""
    study = make_study(sources=2)
    first, second = questions(study)
    ada, bob = make_rater(study, "ada"), make_rater(study, "bob")
    choose(ada, first, 0, 2)
    choose(bob, first, 0)
    choose(bob, second)

    found = rows(study)

    assert value(found, "f1", "humans") == pytest.approx(5 / 12)
    assert value(found, "precision", "humans") == pytest.approx(1 / 2)
    assert value(found, "recall", "humans") == pytest.approx(3 / 8)
    row = the(found, "f1", "humans")
    assert row.aggregation == "per_item"
    assert row.estimate.sd == pytest.approx(5 / 12)  # population: half of 5/6 - 0
    assert row.estimate.sd_ddof == 0
    assert (row.estimate.n_units, row.estimate.n_raters, row.estimate.n_ratings) == (2, 2, 3)


def test_means_carry_the_deviation_of_the_sample(db: None) -> None:
    study = make_study(sources=2)
    first, second = questions(study, block=1)
    ada, bob = make_rater(study, "ada"), make_rater(study, "bob")
    rate(ada, first, 40)
    rate(bob, first, 60)
    rate(ada, second, 70)

    row = the(rows(study), "mean", "humans")

    assert row.estimate.value == 60  # items: 50 and 70
    assert row.estimate.sd == pytest.approx(200**0.5)
    assert row.estimate.sd_ddof == 1


def test_excluded_answers_to_controls_count_where_that_is_asked(db: None) -> None:
    study = make_study(positive=1)
    (control,) = questions(study, role="positive")
    choose(make_rater(study, "ada"), control, 0, 2)
    careless = choose(make_rater(study, "bob"), control, 1)
    Annotation.objects.filter(pk=careless.pk).update(excluded_reason="failed the controls")

    assert value(rows(study), "control_accuracy", "humans") == 1
    everybody = rows(study, Options(resamples=20, excluded=True))
    assert value(everybody, "control_accuracy", "humans") == 0.5


def test_simulated_answers_never_enter_humans(db: None) -> None:
    study = make_study()
    ada, program = make_rater(study, "ada"), make_rater(study, "program", "simulated")
    for question in questions(study):
        choose(ada, question, 0, 2)
        choose(program, question)

    found = rows(study)

    assert value(found, "f1", "humans") == 1
    assert value(found, "f1", "simulated") == 0
    assert the(found, "krippendorff_alpha_jaccard", "humans").estimate.undefined == "one rater only"


def test_without_human_answers_the_rows_say_so(db: None) -> None:
    study = make_study()
    judge = make_rater(study, "lexical", "judge")
    for question in questions(study):
        choose(judge, question, 0)

    found = rows(study)

    for name in ("humans", "humans~lexical"):
        estimate = the(found, "krippendorff_alpha_jaccard", name).estimate
        assert (estimate.value, estimate.undefined) == (None, "no human answers")
    assert the(found, "f1", "humans").estimate.undefined == "no human answers"


def test_a_judge_is_compared_with_the_union_of_people_folded_as_published(db: None) -> None:
    """Against {0, 2}: people say {0, 1} and {2}, so {0, other, 2}; the judge says {1}, so
    {other}. In the other two units both say exactly the reference."""
    study = make_study()
    ada, bob = make_rater(study, "ada"), make_rater(study, "bob")
    judge = make_rater(study, "lexical", "judge")
    odd, *rest = questions(study)
    choose(ada, odd, 0, 1)
    choose(bob, odd, 2)
    choose(judge, odd, 1)
    for question in rest:
        choose(ada, question, 0, 2)
        choose(judge, question, 0, 2)

    row = the(rows(study), "krippendorff_alpha_jaccard", "humans~lexical")

    # Distances: {0,2,o}-{o}: 2/3, and {0,2} with each of them: 1/3 and 1; six values, two odd.
    observed = (2 / 3) / 3
    expected = (2 * (2 / 3) + 8 * (1 / 3) + 8 * 1) / 30
    assert row.estimate.value == pytest.approx(1 - observed / expected)
    assert (row.consensus, row.aggregation) == ("union", "pooled")
    assert row.estimate.n_units == 3


def test_another_consensus_is_used_where_the_kind_of_value_knows_it(db: None) -> None:
    study = make_study()
    people = [make_rater(study, name) for name in ("ada", "bob", "cyd")]
    judge = make_rater(study, "lexical", "judge")
    for at, question in enumerate(questions(study)):
        for rater, sentences in zip(people, ((0,), (0, 2), (0, 1)), strict=True):
            choose(rater, question, *(sentences if at else (2,)))
        choose(judge, question, 0 if at else 2)
    for at, question in enumerate(questions(study, block=1)):
        for more, rater in enumerate((*people, judge)):
            rate(rater, question, 20 * at + 5 * more)

    by_union, by_majority = rows(study), rows(study, Options(resamples=0, consensus="majority"))

    assert value(by_majority, "krippendorff_alpha_jaccard", "humans~lexical") == 1
    union = value(by_union, "krippendorff_alpha_jaccard", "humans~lexical")
    assert union is not None
    assert union < 1
    assert the(by_majority, "krippendorff_alpha_interval", "humans~lexical").consensus == "mean"


def test_the_plain_name_is_the_newest_version_and_older_ones_keep_theirs(db: None) -> None:
    study = make_study()
    old = make_rater(study, "lexical", "judge", version=1)
    new = make_rater(study, "lexical", "judge", version=2)
    make_rater(study, "lexical", "judge", version=3)  # has not answered
    for question in questions(study):
        choose(old, question)
        choose(new, question, 0, 2)

    found = estimate_study(study, QUICK)

    assert found.versions == {"lexical": 2}
    assert value(found.rows, "f1", "lexical") == 1
    assert value(found.rows, "f1", "lexical@1") == 0


def test_imported_raters_are_compared_by_name(db: None) -> None:
    study = make_study()
    imported = Rater.Origin.IMPORTED
    for name, kind in (("human-eval", "human"), ("gpt", "judge")):
        rater = make_rater(study, name, kind)
        Rater.objects.filter(pk=rater.pk).update(origin=imported)
        for at, question in enumerate(questions(study)):
            choose(rater, question, at % 2)

    found, everything = rows(study), rows(study, replace(QUICK, everything=True))

    row = the(found, "krippendorff_alpha_jaccard", "gpt~human-eval")
    assert (row.estimate.value, row.consensus) == (1, None)
    by_groups = [r for r in everything if r.raters == "gpt~human-eval" and r.group]
    assert by_groups
    assert [row for row in everything if row in found] == list(found)


def test_replicates_are_averaged_in_scores_but_do_not_agree_with_themselves(db: None) -> None:
    study = make_study()
    judge, ada = make_rater(study, "lexical", "judge"), make_rater(study, "ada")
    for at, question in enumerate(questions(study)):
        choose(ada, question, *((0, 2) if at else (1,)))
        choose(judge, question, *((0, 2) if at else (1,)))
        choose(judge, question, replicate=1)

    found = rows(study)

    assert value(found, "f1", "lexical") == pytest.approx(2 / 3 / 2)
    assert value(found, "krippendorff_alpha_jaccard", "humans~lexical") == 1
    assert the(found, "f1", "lexical").estimate.n_ratings == 6


def test_figures_are_given_by_system_subset_verdict_and_round(db: None) -> None:
    study = make_study(sources=4)
    main = Round.objects.get(study=study)
    ada = make_rater(study, "ada")
    for at, question in enumerate(questions(study)):
        choose(ada, question, *((0, 2) if at % 2 else ()), round_=main)
    beyond = Unit.objects.filter(study=study).order_by("pk").first()
    assert beyond is not None
    beyond.subsets.remove(study.subsets.get(name="sample"))

    found = rows(study)

    assert value(found, "f1", "humans") == 0.5
    assert value(found, "f1", "humans", system="Alder") == 1
    assert value(found, "f1", "humans", system="Birch") == 0
    assert value(found, "f1", "humans", label="false") == 1
    assert value(found, "f1", "humans", round="main") == 0.5
    assert value(found, "f1", "humans", setting="full") == 0.5
    assert value(found, "f1", "humans", setting="sample") == pytest.approx(2 / 3)
    assert value(found, "f1", "humans", setting="sample", system="Birch") == 0
    assert value(found, "f1", "humans", system="Alder", evidence_source="human") == 1


def test_an_item_is_transparent_only_when_all_of_its_units_were_recovered(db: None) -> None:
    """The third item cites two passages and has a unit for one: it stays open."""
    study = make_study(sources=3)
    good, bad, open_one = questions(study)
    for item in Item.objects.filter(units__in=[good.unit, bad.unit]):
        item.sentences[1]["citations"] = []
        item.save()
    judge = make_rater(study, "lexical", "judge")
    choose(judge, good, 0, 2)
    choose(judge, bad, 1)
    choose(judge, open_one, 0, 2)

    found = rows(study)

    row = the(found, "transparent_share", "lexical")
    assert (row.estimate.value, row.estimate.n_units) == (0.5, 2)
    assert value(found, "transparent_share", "lexical", system="Birch") == 1


def test_an_unanswered_unit_leaves_its_item_out_of_the_share(db: None) -> None:
    study = make_study(sources=2)
    answered, _ = questions(study)
    Item.objects.filter(study=study).update(
        sentences=[{"text": "Traffic crossed it.[1]", "citations": [1]}]
    )
    judge = make_rater(study, "lexical", "judge")
    choose(judge, answered, 0, 2)

    assert the(rows(study), "transparent_share", "lexical").estimate.n_units == 1


def test_control_accuracy_is_apart_and_pilots_are_told_apart(db: None) -> None:
    study = make_study(positive=2)
    pilot = Round.objects.create(study=study, position=1, name="pilot", counts=False)
    ada, judge = make_rater(study, "ada"), make_rater(study, "lexical", "judge")
    one, other = questions(study, role="positive")
    choose(ada, one, 0, 2)
    choose(ada, other, 1, round_=pilot)
    choose(judge, one, 1)
    choose(judge, other, 0, 2)

    found = rows(study)

    assert value(found, "control_accuracy", "humans") == 1
    assert value(found, "control_accuracy", "ada", round="pilot") == 0
    assert value(found, "control_accuracy", "lexical") == 0.5
    assert the(found, "f1", "humans").estimate.undefined == "no human answers"


def test_no_two_rows_share_a_name_and_no_number_is_infinite(db: None) -> None:
    study = make_study(positive=1)
    raters = [make_rater(study, n, k) for n, k in (("a", "human"), ("b", "human"), ("j", "judge"))]
    for at, rater in enumerate(raters):
        for question in questions(study):
            choose(rater, question, at)
        for question in (*questions(study, block=1), *questions(study, 1, "positive")):
            rate(rater, question, 50)

    found = [row.as_json() for row in rows(study)]

    keys = [json.dumps([v for k, v in row.items() if k in NAMES]) for row in found]
    assert len(set(keys)) == len(keys)
    json.dumps(found, allow_nan=False)
    assert [Row.from_json(row).as_json() for row in found] == found


NAMES = ("metric", "facet", "raters", "group", "aggregation", "consensus")


def test_the_same_seed_gives_the_same_intervals_and_another_one_others(db: None) -> None:
    study = make_study(sources=6, blocks=[("slider", {})])
    ada = make_rater(study, "ada")
    for at, question in enumerate(questions(study)):
        rate(ada, question, 4 * at**2)

    def bounds(seed: int, metric: str) -> Any:
        estimate = the(rows(study, Options(seed=seed, resamples=200)), metric, "humans").estimate
        return estimate.low, estimate.high, estimate.interval_method

    assert bounds(1, "median") == bounds(1, "median") != bounds(2, "median")
    assert bounds(1, "mean") == bounds(2, "mean")  # nothing is drawn for it


def test_the_number_of_queries_does_not_grow_with_the_study(db: None) -> None:
    def queries(sources: int) -> int:
        study = make_study(f"s{sources}", sources=sources, positive=1)
        for name, kind in (("ada", "human"), ("lexical", "judge")):
            rater = make_rater(study, name, kind)
            for question in (*questions(study), *questions(study, role="positive")):
                choose(rater, question, 0)
        with CaptureQueriesContext(connection) as captured:
            estimate_study(study, QUICK)
        return len(captured)

    assert queries(2) == queries(6) == 20


def test_an_unknown_consensus_is_refused() -> None:
    with pytest.raises(ValueError, match="consensus: 'loudest' is none of union"):
        Options(consensus="loudest")


def test_a_new_metric_is_one_entry_and_one_function(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also by group, and with a row that says why there is none where nobody answered."""
    study = make_study(sources=2)
    judge = make_rater(study, "lexical", "judge")
    for question, number in zip(questions(study, block=1), (40, 70), strict=False):
        rate(judge, question, number)

    def highest(sample: Rated) -> Iterator[Figure]:
        yield Figure("highest", Estimate(value=float(sample.ratings.number.max())))

    statistic = Statistic(
        compute=highest,
        by={SYSTEM},
        applies=lambda facet: facet.is_score,
        missing=lambda _sample: ["highest"],
    )
    entry = Statistics(samples.groups, (statistic,))
    monkeypatch.setattr(engine, "STATISTICS", (*engine.STATISTICS, entry))
    out = StringIO()
    call_command("report", study.slug, "--json", "--resamples", "0", stdout=out)

    estimates = json.loads(out.getvalue())["estimates"]
    found = {
        (row["raters"], *row["group"].values()): row["value"] or row["undefined"]
        for row in estimates
        if row["metric"] == "highest" and "@" not in row["raters"]  # not by its full name again
    }
    assert found == {
        ("humans",): "no human answers",
        ("lexical",): 70,
        ("lexical", "Alder"): 70,
        ("lexical", "Birch"): 40,
    }
