"""Measures of whole answers: means, what is undefined, and faults made on purpose."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from annotation.answers.record import GivenAnswer, record_answers
from annotation.models import Annotation, Item, Study, Unit
from estimates.data.options import Options
from estimates.data.rows import Row
from tests.cast import make_study
from tests.results.answers import make_rater, questions
from tests.results.estimates import estimate_study

IMPORTANCE: list[tuple[str, dict[str, Any]]] = [
    ("importance", {"parts": ["importance", "order", "support"]})
]
OPTIONS = Options(resamples=0)


def label(study: Study, rater: str, at: int, *claims: str, kind: str = "human") -> None:
    """Label the three claims of a unit: "v+" is a vital one that is supported."""
    known = study.raters.filter(name=rater).first() or make_rater(study, rater, kind)
    words = {"v": "vital", "o": "okay", "l": "less-important"}
    answer = {
        "claims": [
            {
                "claim": n,
                "importance": words[claim[0]],
                "support": "supported" if claim[1] == "+" else "unsupported",
            }
            for n, claim in enumerate(claims)
        ],
        "order": list(range(len(claims))),
    }
    question = questions(study)[at]
    given = GivenAnswer(question, question.typed_answer(answer))
    record_answers(rater=known, given=[given])


def rows_of(study: Study) -> tuple[Row, ...]:
    return estimate_study(study, OPTIONS).rows


def the(rows: tuple[Row, ...], metric: str, raters: str = "humans", **group: str) -> Row:
    (row,) = [r for r in rows if (r.metric, r.raters, r.group) == (metric, raters, group)]
    return row


def test_measures_are_averaged_over_items_and_what_is_undefined_is_counted(db: None) -> None:
    """Ada finds 1 of 2 vital claims supported in the first response and 1 of 1 in the second; in
    the third no claim is vital. Bob finds both of the first: (1/2 + 1)/2 = 3/4 there."""
    study = make_study(blocks=IMPORTANCE)
    label(study, "ada", 0, "v+", "v-", "o+")
    label(study, "bob", 0, "v+", "v+", "o+")
    label(study, "ada", 1, "v+", "o-", "l-")
    label(study, "ada", 2, "o+", "o-", "l-")

    rows = rows_of(study)

    row = the(rows, "vital_precision")
    assert (row.facet, row.aggregation) == ("importance", "per_item")
    assert row.estimate.value == pytest.approx((3 / 4 + 1) / 2)
    counted = (row.estimate.n_units, row.estimate.n_raters, row.estimate.n_ratings)
    assert counted == (2, 2, 3)
    assert the(rows, "vital_precision", system="Alder").estimate.value == 1
    assert the(rows, "vital_precision", "ada").estimate.value == pytest.approx(3 / 4)
    undefined = the(rows, "vital_precision_undefined").estimate
    assert undefined.value == pytest.approx(1 / 3)
    assert undefined.n_ratings == 4
    assert the(rows, "vital_unsupported").estimate.value == pytest.approx((1 / 2 + 0) / 2)
    nuggets = the(rows, "nugget_recall").estimate
    assert nuggets.undefined == "undefined for every answer (no nuggets, or one was not judged)"
    assert not [row for row in rows if row.metric == "weighted_precision_undefined"]


def test_without_answers_the_measures_say_so(db: None) -> None:
    rows = rows_of(make_study(blocks=IMPORTANCE))

    assert the(rows, "linear_decay").estimate.undefined == "no human answers"


def test_faults_made_on_purpose_are_found_by_flags_and_by_lower_scores(db: None) -> None:
    """The second and third response are made from the first. Both have an unsupported vital claim
    (2 of 2 flagged). Weighted precision is 1 before, less in one and equal in none."""
    study = make_study(blocks=IMPORTANCE)
    original, *made = Item.objects.filter(study=study).order_by("pk")
    for item, condition in zip(made, ("wrong", "missing"), strict=True):
        item.perturbed_from, item.condition = original, condition
        item.save()
    label(study, "ada", 0, "v+", "o+", "o+")
    label(study, "ada", 1, "v-", "o+", "o+")
    label(study, "ada", 2, "o+", "o+", "o+")

    rows = rows_of(study)

    flagged = the(rows, "detection_vital_unsupported").estimate
    assert (flagged.value, flagged.n_units) == (1, 1)  # without a vital claim it is undefined
    assert the(rows, "detection_weighted_precision").estimate.value == 0.5
    assert the(rows, "detection_weighted_precision", condition="wrong").estimate.value == 1
    assert the(rows, "detection_weighted_precision", condition="missing").estimate.value == 0
    assert the(rows, "detection_weighted_precision_tied").estimate.value == 0.5
    # All claims alike: 1 before, then 2/3 and 1; one of the two has an unsupported claim.
    assert the(rows, "detection_claim_precision").estimate.value == 0.5
    assert the(rows, "detection_claim_unsupported").estimate.value == 0.5
    reason = "undefined for every item made wrong on purpose (no nuggets, or one was not judged)"
    assert the(rows, "detection_nugget_recall").estimate.undefined == reason


def test_excluded_answers_are_measured_where_that_is_asked(db: None) -> None:
    """Ada's vital claim is supported, the one that Bob's excluded answer calls vital is not."""
    study = make_study(sources=1, blocks=IMPORTANCE)
    label(study, "ada", 0, "v+", "o+", "o+")
    label(study, "bob", 0, "v-", "o+", "o+")
    Annotation.objects.filter(rater__name="bob").update(excluded_reason="failed the controls")

    def precision(options: Options) -> float | None:
        return the(estimate_study(study, options).rows, "vital_precision").estimate.value

    assert precision(Options(resamples=0)) == 1
    assert precision(Options(resamples=0, excluded=True)) == 0.5


def test_an_original_that_nobody_answered_leaves_detection_undefined(db: None) -> None:
    study = make_study(blocks=IMPORTANCE)
    original, made, _ = Item.objects.filter(study=study).order_by("pk")
    made.perturbed_from = original
    made.save()
    label(study, "ada", 1, "v-", "o+", "o+")

    estimate = the(rows_of(study), "detection_weighted_precision").estimate

    assert estimate.undefined == "no item made wrong on purpose beside its original"


def test_actionability_has_its_score_and_its_parts(db: None) -> None:
    """One of two errors pointed out (1), none corrected (0), no link (0): 1 · 5/6."""
    study = make_study(sources=0, blocks=[("actionability", {})])
    call_command("apply_study", "examples/actionability/study.yaml", verbosity=0)
    study = Study.objects.exclude(pk=study.pk).get()
    rater = make_rater(study, "ada")
    question = next(one for one in questions(study) if len(one.payload["errors"]) >= 1)
    errors, links = len(question.payload["errors"]), len(question.payload["links"])
    answer = {
        "errors": [{"error": n, "points_out": n == 0, "corrects": False} for n in range(errors)],
        "links": [
            {"link": n, "exists": True, "relevant": True, "supports": True} for n in range(links)
        ],
    }
    record_answers(rater=rater, given=[GivenAnswer(question, question.typed_answer(answer))])

    rows = rows_of(study)

    pointed = 2 if errors == 1 else 1
    assert the(rows, "fingract_errors").estimate.value == pointed
    assert the(rows, "fingract_corrections").estimate.value == 0
    score = the(rows, "fingract_score").estimate.value
    assert score == pytest.approx((pointed + (2 if links else 0)) * 5 / 6)
    assert score == the(rows, "mean").estimate.value


FIELDS = {
    "vital_precision": "vital-precision",
    "okay_precision": "okay-precision",
    "less_important_precision": "less-important-precision",
    "weighted_precision": "weighted-precision",
    "linear_decay": "linear-decay-precision",
    "linear_decay_top5": "linear-decay-precision-topk",
}


def test_published_scores_of_a_judge_through_import_and_report(db: None, shared_data: Path) -> None:
    """Every field of every response to 1e-12, one response a study; the means of all in one."""
    file = shared_data / "vitalerrors-nq" / "gpt-4o_normal.jsonl.gz"
    with gzip.open(file, "rt", encoding="utf-8") as stream:
        published = [json.loads(line)["scores"] for line in stream]
    call_command("import_study", "vitalerrors", str(file), slug="v", verbosity=0)
    study = Study.objects.get(slug="v")

    rows = rows_of(study)

    for name, field in FIELDS.items():
        mean = sum(one[field] for one in published) / len(published)
        estimate = the(rows, name, "gpt-4o").estimate
        assert estimate.value == pytest.approx(mean, abs=1e-12), name
        assert estimate.n_units == 50
    assert the(rows, "vital_unsupported", "gpt-4o").estimate.value == pytest.approx(0.56)
    for unit, fields in zip(Unit.objects.order_by("pk"), published, strict=True):
        block = study.blocks.get()
        annotation = Annotation.objects.select_related("question__unit__source").get(
            question__unit=unit
        )
        question = annotation.question
        found = block.task_type.measures(
            question.unit.source.material,
            question.typed_payload,
            question.typed_answer(annotation.answer),
            block.typed_options,
        )
        assert {name: found[name] for name in FIELDS} == pytest.approx(
            {name: fields[field] for name, field in FIELDS.items()}, abs=1e-12
        )


def test_the_number_of_queries_does_not_grow_with_the_answers(
    db: None, django_assert_num_queries: Any
) -> None:
    for sources in (2, 5):
        study = make_study(f"s{sources}", sources=sources, blocks=IMPORTANCE)
        for at in range(sources):
            label(study, "ada", at, "v+", "o-", "l-")
        with django_assert_num_queries(18):
            rows_of(study)
