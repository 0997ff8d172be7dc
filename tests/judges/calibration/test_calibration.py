"""Calibration: on whose answers, on which sources, and what the new version keeps of it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from annotation.models import Annotation, Member, Question, Rater, Round, Study, User
from judges.calibration import NotCalibrated, calibrate
from judges.definitions.versions import define_judge, judge_for
from judges.models import Call, Judge, JudgeRun
from judges.runs.plans.plan import plan_run
from judges.runs.progress import cut_inputs
from tests.cast import join, make_study
from tests.judges.scripted_judges import work_all

pytestmark = pytest.mark.django_db
RECOVERY: tuple[tuple[str, dict[str, Any]], ...] = (("citation_recovery", {}),)
YES_NO = {
    "key": "supported",
    "question": "Is it?",
    "distance": "nominal",
    "points": [{"value": "yes"}, {"value": "no"}],
}


@pytest.fixture
def answered(encoder_folder: Path) -> tuple[Study, Judge]:
    """Eight sources, whose questions a judge has answered; sentences 0 and 2 are right."""
    study = make_study(sources=8, blocks=RECOVERY)
    return study, run(study, encoder_folder)


def run(study: Study, folder: Path) -> Judge:
    near = define_judge(
        study=study,
        name="near",
        method="embedding",
        model=str(folder),
        parameters={"device": "cpu"},
    )
    assert work_all(plan_run(study=study, judge=near, subset="full")).state == "complete"
    return near


def score_parts(study: Study, scores: dict[str, float]) -> None:
    """As if the model had said so of every question."""
    Call.objects.filter(run__study=study).update(detail={"scores": scores})


def person(study: Study, name: str, answer: Any, **fields: Any) -> None:
    """A person's answers to all questions."""
    rater = Rater.objects.create(study=study, name=name, kind=Rater.Kind.HUMAN)
    for question in Question.objects.filter(study=study):
        Annotation.objects.create(
            study=study, question=question, rater=rater, answer=answer, **fields
        )


def test_the_threshold_that_fits_best_becomes_a_new_version(answered: tuple[Study, Judge]) -> None:
    study, near = answered
    score_parts(study, {"0": 0.8, "1": 0.2, "2": 0.6})
    found = calibrate(study=study, judge=near, seed=3)
    assert found.threshold == pytest.approx(0.4)  # halfway between 0.6 and 0.2
    assert (found.judge.name, found.judge.version) == ("near", near.version + 1)
    assert found.judge.parameters["threshold"] == found.threshold
    kept = found.judge.parameters["fit"]
    assert kept["fitted_on"] == "references"
    assert (kept["judge"], kept["seed"], kept["candidates"]) == (str(near), 3, 3)
    assert (kept["train_sources"], kept["test_sources"]) == (4, 4)
    assert (kept["train"], kept["test"]) == (1, {"f1": 1, "precision": 1, "recall": 1})
    near.refresh_from_db()
    assert near.parameters["fit"] is None


def test_the_same_fit_is_the_same_version(answered: tuple[Study, Judge]) -> None:
    study, near = answered
    first = calibrate(study=study, judge=near)
    assert calibrate(study=study, judge=near).judge == first.judge


def test_the_fit_tells_how_the_judge_did_before_on_the_same_sources(
    answered: tuple[Study, Judge],
) -> None:
    study, near = answered
    score_parts(study, {"0": 0.8, "1": 0.2, "2": 0.6})
    Annotation.objects.filter(rater__name="near").update(answer={"sentences": [1, 2]})
    before = calibrate(study=study, judge=near).fit.before
    assert before == {"f1": 0.5, "precision": 0.5, "recall": 0.5}


def test_where_people_have_answered_it_is_fitted_on_them(answered: tuple[Study, Judge]) -> None:
    study, near = answered
    score_parts(study, {"0": 0.8, "1": 0.2, "2": 0.6})
    person(study, "w1", {"sentences": [0]})
    person(study, "w2", {"sentences": [0]})
    found = calibrate(study=study, judge=near)
    assert (found.fit.fitted_on, found.fit.raters, found.fit.consensus) == ("humans", 2, "union")
    assert found.threshold == pytest.approx(0.7)
    assert found.fit.train == 1


@pytest.mark.parametrize(
    "left_out", [{"excluded_reason": "failed the controls"}, {"surplus": True}, {"round": "pilot"}]
)
def test_answers_that_do_not_count_are_not_fitted_on(
    answered: tuple[Study, Judge], left_out: dict[str, Any]
) -> None:
    study, near = answered
    score_parts(study, {"0": 0.8, "1": 0.2, "2": 0.6})
    if "round" in left_out:
        pilot = Round.objects.create(study=study, position=1, name="pilot", counts=False)
        left_out = {"round": pilot}
    person(study, "w1", {"sentences": [0]}, **left_out)
    assert calibrate(study=study, judge=near).fit.fitted_on == "references"
    person(study, "w2", {"sentences": [0, 1, 2]})
    found = calibrate(study=study, judge=near)
    assert (found.fit.fitted_on, found.fit.raters) == ("humans", 1)
    assert found.threshold == pytest.approx(0.2)


def test_where_people_answered_another_block_it_is_fitted_on_the_references(
    encoder_folder: Path,
) -> None:
    study = make_study(blocks=(*RECOVERY, ("slider", {})))
    near = run(study, encoder_folder)
    rater = Rater.objects.create(study=study, name="w1", kind=Rater.Kind.HUMAN)
    for question in Question.objects.filter(study=study, block__task_type_slug="slider"):
        Annotation.objects.create(
            study=study, question=question, rater=rater, answer={"value": 20.0}
        )
    assert calibrate(study=study, judge=near).fit.fitted_on == "references"


def test_simulated_raters_are_no_people(answered: tuple[Study, Judge]) -> None:
    study, near = answered
    person(study, "w1", {"sentences": [1]})
    Rater.objects.filter(name="w1").update(kind=Rater.Kind.SIMULATED)
    assert calibrate(study=study, judge=near).fit.fitted_on == "references"


def test_no_source_is_on_both_sides_and_the_seed_draws_which(
    answered: tuple[Study, Judge],
) -> None:
    study, near = answered
    sizes = {
        share: calibrate(study=study, judge=near, share=share).fit for share in (0.01, 0.25, 0.99)
    }
    assert {share: (fit.train_sources, fit.test_sources) for share, fit in sizes.items()} == {
        0.01: (1, 7),
        0.25: (2, 6),
        0.99: (7, 1),
    }
    thresholds = {
        calibrate(study=study, judge=near, share=0.01, seed=n).threshold for n in range(9)
    }
    assert len(thresholds) > 1


def test_yes_and_no_are_fitted_by_accuracy(encoder_folder: Path) -> None:
    study = make_study(blocks=(("likert", {"criteria": [YES_NO], "per_sentence": True}),))
    near = run(study, encoder_folder)
    score_parts(study, {"supported/0": 0.9, "supported/1": 0.1, "supported/2": 0.5})
    person(study, "w1", {"scores": {"supported": ["yes", "no", "no"]}})
    found = calibrate(study=study, judge=near, measure="accuracy")
    assert found.threshold == pytest.approx(0.7)
    assert (found.fit.train, found.fit.test) == (1, {"accuracy": 1})
    assert found.fit.consensus == "majority"
    with pytest.raises(NotCalibrated, match=r"has answered no question .* whose f1 depends"):
        calibrate(study=study, judge=near)


def test_numbers_on_a_scale_need_no_threshold(encoder_folder: Path) -> None:
    study = make_study(blocks=(("slider", {}),))
    near = run(study, encoder_folder)
    person(study, "w1", {"value": 20.0})
    with pytest.raises(NotCalibrated, match="whose accuracy depends on a threshold"):
        calibrate(study=study, judge=near, measure="accuracy")


def test_what_cannot_be_calibrated_says_why(answered: tuple[Study, Judge]) -> None:
    study, near = answered
    with pytest.raises(NotCalibrated, match="lexical@1: the method lexical has no threshold"):
        calibrate(study=study, judge=judge_for(study, "lexical"))
    with pytest.raises(NotCalibrated, match="share: must be between 0 and 1"):
        calibrate(study=study, judge=near, share=1.0)
    other = make_study("other", blocks=RECOVERY)
    with pytest.raises(NotCalibrated, match="near@1 has answered no question of study other"):
        calibrate(study=other, judge=near)


def test_the_command_tells_the_fit(
    answered: tuple[Study, Judge], capsys: pytest.CaptureFixture[str]
) -> None:
    study, _ = answered
    score_parts(study, {"0": 0.8, "1": 0.2, "2": 0.6})
    call_command("calibrate", "small", "near", "--share", "0.25")
    said = capsys.readouterr().out
    assert "near@2: threshold 0.400000, the best of 3 for f1 against references" in said
    assert "fitted on 2 sources (2 questions): f1 1.000000" in said
    assert "tested on 6 others (6 questions):\n  f1 1.000000 (by near@1 " in said
    call_command("calibrate", "small", "near@1", "--json")
    fit = json.loads(capsys.readouterr().out)
    assert (fit["judge"], fit["train_sources"]) == ("near@3", 4) or fit["measure"] == "f1"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["nowhere", "near"], "no study 'nowhere'"),
        (["small", "nobody"], "no judge 'nobody'"),
        (["small", "lexical"], "has no threshold"),
    ],
)
def test_the_command_fails_in_one_line(
    answered: tuple[Study, Judge], arguments: list[str], reason: str
) -> None:
    with pytest.raises(CommandError, match=reason):
        call_command("calibrate", *arguments)


def address(judge: Judge, name: str = "calibrate") -> str:
    return reverse(f"judges:{name}", args=["small", judge.name, judge.version])


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


HOW = {"measure": "f1", "share": "0.5", "seed": "0"}


def test_an_editor_calibrates_on_the_judges_page_and_the_new_version_runs(
    answered: tuple[Study, Judge], outsider: User
) -> None:
    study, near = answered
    join(study, outsider, Member.Role.EDITOR)
    client = signed_in(outsider)
    assert b'id="calibrate"' in client.get(address(near, "judge")).content
    plan = client.post(address(near), HOW).content.decode()
    assert "Plan of a run of near@2" in plan
    assert not JudgeRun.objects.filter(judge__version=2).exists()
    hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', plan))
    answer = client.post(reverse("judges:start", args=["small"]), hidden)
    planned = JudgeRun.objects.get(judge__name="near", judge__version=2)
    assert answer.headers["Location"] == reverse("judges:run", args=["small", planned.pk])
    assert planned.requested_by == outsider
    before = JudgeRun.objects.get(judge=near).calls
    asked = set(planned.calls.values_list("question", flat=True))
    assert asked == set(before.exclude(annotation=None).values_list("question", flat=True))
    shown = client.get(address(planned.judge, "judge")).content.decode()
    assert "Where the threshold comes from" in shown
    assert "references" in shown


def test_what_cannot_be_fitted_is_said_on_the_judges_page(
    answered: tuple[Study, Judge], outsider: User
) -> None:
    study, near = answered
    join(study, outsider, Member.Role.EDITOR)
    for wrong in ({**HOW, "measure": "accuracy"}, {**HOW, "share": "2"}):
        answer = signed_in(outsider).post(address(near), wrong, follow=True)
        assert answer.redirect_chain[0][0] == address(near, "judge")
        assert b"message--warn" in answer.content
    assert Judge.objects.filter(name="near").count() == 1


def test_an_outsider_sees_nothing_and_a_viewer_calibrates_nothing(
    answered: tuple[Study, Judge], outsider: User, colleague: User
) -> None:
    study, near = answered
    join(study, colleague, Member.Role.VIEWER)
    assert signed_in(outsider).post(address(near), HOW).status_code == 404
    assert signed_in(colleague).post(address(near), HOW).status_code == 403
    assert b'id="calibrate"' not in signed_in(colleague).get(address(near, "judge")).content


def test_a_run_says_how_many_inputs_were_cut(answered: tuple[Study, Judge], outsider: User) -> None:
    study, _near = answered
    join(study, outsider, Member.Role.VIEWER)
    run = JudgeRun.objects.get()
    assert cut_inputs(run) == {"inputs": 24, "cut": 0}
    first = run.calls.order_by("pk")[0]
    Call.objects.filter(pk=first.pk).update(detail={"inputs": 3, "inputs_cut": 2})
    shown = signed_in(outsider).get(reverse("judges:run", args=["small", run.pk])).content
    assert b"2 of 24 were too long for the model" in shown
