"""G-Eval: samples averaged, probabilities weighed, and what cannot be read left out of both."""

import math
import re
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from annotation.models import Annotation, Member, Question, Study, User
from judges.definitions.versions import BadJudge, define_judge
from judges.methods.geval.replies import Unreadable, read_score, weigh
from judges.models import Judge, JudgeRun
from judges.runs.plans.plan import plan_run
from judges.runs.plans.scope import RunRefused
from tasktypes.likert import LIKERT
from tasktypes.likert.schema import Payload
from tasktypes.machines.scores import Scoring
from tasktypes.slider import SLIDER
from tests.cast import join, make_study
from tests.judges.endpoints import MODEL, Opening
from tests.judges.scripted_judges import work_all, write_lines
from tests.services.endpoint import Behaviour, Server

FLUENCY = {"key": "fluency", "question": "How fluent?", "low": 1, "high": 5}
TENTHS = FLUENCY | {"high": 10}
SUPPORT = {
    "key": "support",
    "question": "Is it supported?",
    "distance": "nominal",
    "points": [{"value": "yes"}, {"value": "no"}],
}


def scoring(criterion: dict[str, Any] = FLUENCY) -> Scoring:
    payload = Payload.model_validate(
        {"criteria": [criterion], "per_sentence": False, "sentences": ["A text."]}
    )
    return LIKERT.scorings(payload)[0]


@pytest.mark.parametrize(
    "reply",
    [
        *("4", " 4\n", "**4**", "Fluency: 4", "fluency: 4.", '"4"', "4.0"),
        *("4/5", "4 / 5", "4.0/5.0", "4 out of 5", "Score: 4", "Rating: 4/5"),
        *("Fluency score: 4", "**Score:** 4", "Score: **4**.", "fluency rating: 4 out of 5"),
    ],
)
def test_a_point_alone_is_read(reply: str) -> None:
    assert read_score(reply, scoring()) == 4


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "empty"),
        ("4 or 5", "not just a number"),
        ("I would say 4", "not just a number"),
        ("Coherence: 4", "not just a number"),
        ("6", "not on the scale from 1 to 5"),
        ("3.5", "between the points"),
        ("four", "not just a number"),
        ("4/10", "of another scale than from 1 to 5"),
        ("6/5", "not on the scale"),
        ("3.5/5", "between the points"),
        ("4 of 5", "not just a number"),
        ("4/5/5", "not just a number"),
        ("4-5", "not just a number"),
        ("Score: 3. Score: 4", "not just a number"),
        ("Scale: 1 to 5", "not just a number"),
        ("٤", "not just a number"),
    ],
)
def test_everything_else_is_not(reply: str, reason: str) -> None:
    with pytest.raises(Unreadable, match=reason):
        read_score(reply, scoring())


PIECES = st.sampled_from(
    [*("Fluency", "score", ":", "4", "5", "/", "/5", "4.0", "4.5", "10", "-3", ".", "out of 5"),
     *("good", "**", "1 to 5", "\n", "Score: 4")]
)  # fmt: skip


@given(st.lists(PIECES, max_size=6).map(" ".join))
def test_a_score_is_the_one_number_of_a_reply_that_says_nothing_else(reply: str) -> None:
    try:
        score = read_score(reply, scoring())
    except Unreadable:
        return
    numbers = re.findall(r"[\d.]*\d", reply)
    assert float(numbers[0]) == score
    assert numbers[1:] in ([], ["5"])
    words = re.sub(r"(?i)out of|fluency|score|rating", "", reply)
    assert not re.search(r"[a-z]|-", words)


def test_a_point_with_a_name_is_read_by_its_name() -> None:
    assert read_score("Yes.", scoring(SUPPORT)) == "yes"
    with pytest.raises(Unreadable, match="none of the points"):
        read_score("perhaps", scoring(SUPPORT))


def entry(token: str, **top: float) -> dict[str, Any]:
    pairs = [[name.removeprefix("p"), math.log(share)] for name, share in top.items()]
    return {"token": token, "logprob": 0.0, "top": pairs}


def test_points_are_weighed_by_the_probability_of_their_tokens() -> None:
    """(4 · 0.6 + 5 · 0.2) / 0.8 = 3.4 / 0.8 = 4.25; a fifth of the mass is elsewhere."""
    tokens = [entry("Fluency"), entry(":"), entry("4", p4=0.6, p5=0.2, The=0.2), entry("<end>")]
    assert weigh("Fluency: 4", tokens, scoring()) == pytest.approx(4.25, abs=1e-12)


def test_spellings_of_one_point_add_up() -> None:
    """(4 · (0.3 + 0.3) + 2 · 0.4) / 1 = 3.2."""
    top = [["4", math.log(0.3)], [" 4", math.log(0.3)], ["2", math.log(0.4)]]
    tokens = [{"token": " 4", "logprob": 0.0, "top": top}]
    assert weigh(" 4", tokens, scoring()) == pytest.approx(3.2)


def test_a_longer_point_that_is_one_token_is_weighed_as_itself() -> None:
    """(1 · 0.25 + 10 · 0.75) / 1 = 7.75."""
    tokens = [entry("10", p10=0.75, p1=0.25)]
    assert weigh("10", tokens, scoring(TENTHS)) == pytest.approx(7.75)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("5/5", ["5", "/", "5"]),
        ("5/5", ["5", "/5", "</s>"]),
        ("5 out of 5", ["5", " out", " of", " 5", "."]),
        ("Fluency: 5/5", ["Flu", "ency", ":", " 5", "/", "5", "</s>"]),
    ],
)
def test_the_end_of_the_scale_is_not_weighed(text: str, tokens: list[str]) -> None:
    """(5 · 0.5 + 3 · 0.5) / 1 = 4 at the score; the end of the scale is sure."""
    logprobs = [entry(token, p5=1.0) for token in tokens]
    first = next(at for at, token in enumerate(tokens) if token.strip() == "5")
    logprobs[first] = entry(tokens[first], p5=0.5, p3=0.5)
    assert weigh(text, logprobs, scoring()) == pytest.approx(4)


@pytest.mark.parametrize(
    ("text", "logprobs", "asked", "reason"),
    [
        ("4", [], FLUENCY, "the endpoint gave no logprobs"),
        ("4", [entry("<s>")], FLUENCY, "no token of the reply is a point of the scale"),
        ("good", [entry("good", pgood=1.0)], FLUENCY, "not just a number"),
        ("4", [entry("4", pfour=1.0)], FLUENCY, "no probability of any point"),
        ("4", [entry("4") | {"top": [["4", None]]}], FLUENCY, "no probability of any point"),
        ("yes", [entry("yes", pyes=1.0)], SUPPORT, "names"),
        ("From 1 to 5: 4", [entry("1", p1=1.0), entry("4", p4=1.0)], FLUENCY, "not just a number"),
        ("10", [entry("1", p1=0.9, p2=0.1), entry("0", p0=1.0)], TENTHS, "several tokens"),
        ("04", [entry("0", p0=1.0), entry("4", p4=1.0)], FLUENCY, "several tokens"),
        ("7", [entry("7", p7=0.9, p1=0.1)], TENTHS, "may be the beginning of 10"),
    ],
)
def test_without_probabilities_of_points_there_is_no_score(
    text: str, logprobs: Sequence[dict[str, Any]], asked: dict[str, Any], reason: str
) -> None:
    with pytest.raises(Unreadable, match=reason):
        weigh(text, logprobs, scoring(asked))


def test_a_continuous_scale_has_no_points_to_weigh() -> None:
    given = SLIDER.example
    options = SLIDER.Options.model_validate(given.options)
    asked = SLIDER.scorings(SLIDER.payload(given.source, given.items, given.focus, options))[0]
    with pytest.raises(Unreadable, match="continuous"):
        weigh("50", [entry("50", p50=1.0)], asked)


pytestmark = pytest.mark.django_db


def rated_study() -> Study:
    return make_study(blocks=(("likert", {"criteria": [FLUENCY]}),))


def judge_with(study: Study, file: Path, **parameters: Any) -> Judge:
    return define_judge(
        study=study,
        name="geval",
        method="geval",
        backend="scripted",
        model="none",
        parameters={"replies": str(file), "samples": 4, **parameters},
    )


def samples(study: Study, replies: Sequence[str], step: str = "score 0") -> list[dict[str, Any]]:
    keys = Question.objects.filter(study=study).values_list("unit__key", flat=True)
    return [
        {"unit": key, "step": step, "sample": number, "reply": reply}
        for key in keys
        for number, reply in enumerate(replies)
    ]


def steps(study: Study, reply: str = "1. Read it.") -> list[dict[str, Any]]:
    return samples(study, [reply], step="steps fluency")


def run_with(study: Study, folder: Path, lines: list[dict[str, Any]], **more: Any) -> JudgeRun:
    judge = judge_with(study, write_lines(folder / "replies.jsonl", lines), **more)
    return work_all(plan_run(study=study, judge=judge))


def scores_of(run: JudgeRun) -> set[float]:
    found = Annotation.objects.filter(rater=run.rater).values_list("answer", flat=True)
    return {answer["scores"]["fluency"] for answer in found}


def test_samples_are_averaged_and_the_unreadable_one_is_counted_and_left_out(
    tmp_path: Path,
) -> None:
    """(5 + 4 + 4) / 3, not / 4."""
    study = rated_study()
    lines = [*steps(study), *samples(study, ["5", "4", "well", "4"])]
    run = run_with(study, tmp_path, lines)
    assert list(scores_of(run)) == [pytest.approx(13 / 3)]
    n = Question.objects.filter(study=study).count()
    assert run.calls.filter(status="parse_failure").count() == n
    assert run.calls.filter(status="answered", step="score 0").count() == 3 * n
    assert run.state == "complete"


def test_steps_are_written_once_for_all_units(tmp_path: Path) -> None:
    study = rated_study()
    run = run_with(study, tmp_path, [*steps(study), *samples(study, ["5"] * 4)])
    assert run.state == "complete"
    assert run.calls.filter(step="steps fluency").count() == 1
    asked = run.calls.filter(step="score 0").values_list("request", flat=True)
    assert all("1. Read it." in one["messages"][0]["content"] for one in asked)


def test_steps_that_are_given_are_not_asked_for(tmp_path: Path) -> None:
    study = rated_study()
    given = {"fluency": "Read it twice."}
    run = run_with(study, tmp_path, samples(study, ["5"] * 4), steps=given)
    assert (run.state, scores_of(run)) == ("complete", {5})
    assert not run.calls.filter(step__startswith="steps").exists()


@pytest.mark.parametrize(("samples", "fewest"), [(20, 10), (9, 5), (1, 1)])
def test_half_of_the_samples_have_to_be_readable_unless_the_judge_says_otherwise(
    study: Study, tmp_path: Path, samples: int, fewest: int
) -> None:
    file = write_lines(tmp_path / "r.jsonl", [])
    assert judge_with(study, file, samples=samples).parameters["min_samples"] == fewest
    assert judge_with(study, file, samples=samples, min_samples=1).parameters["min_samples"] == 1


def test_a_judge_keeps_the_fewest_samples_of_its_definition(tmp_path: Path) -> None:
    study = rated_study()
    lines = [*steps(study), *samples(study, ["5", "?", "?", "?"])]
    judge = judge_with(study, write_lines(tmp_path / "replies.jsonl", lines), min_samples=1)
    run = work_all(plan_run(study=study, judge=judge))
    assert (run.state, scores_of(run)) == ("complete", {5})


def test_a_score_on_fewer_samples_is_marked_wherever_it_is_shown(
    tmp_path: Path, client: Client, owner: User
) -> None:
    study = rated_study()
    join(study, owner, Member.Role.OWNER)
    run = run_with(study, tmp_path, [*steps(study), *samples(study, ["5", "4", "well", "4"])])
    n = Question.objects.filter(study=study).count()
    thin = run.calls.filter(detail__samples_read=3, detail__samples_made=4)
    assert thin.count() == n
    client.force_login(owner)
    unit = Question.objects.filter(study=study).first()
    assert unit is not None
    score = "The score rests on 3 of 4 samples."
    pages = {
        reverse("judges:run", args=[study.slug, run.pk]): score,
        reverse("judges:judge", args=[study.slug, "geval", 1]): "one of them only on 3",
        reverse("desk:unit", args=[study.slug, unit.unit_id]): score,
    }
    for page, text in pages.items():
        assert text in client.get(page).content.decode()


def test_a_score_on_all_samples_is_not_marked(tmp_path: Path) -> None:
    study = rated_study()
    run = run_with(study, tmp_path, [*steps(study), *samples(study, ["5"] * 4)])
    assert not run.calls.filter(detail__has_key="samples_read").exists()


def test_a_refusal_is_no_evaluation_step(tmp_path: Path) -> None:
    study = rated_study()
    refusal = "I’m sorry, but I can’t help with that."
    run = run_with(study, tmp_path, [*steps(study, refusal), *samples(study, ["5"] * 4)])
    assert (run.state, scores_of(run)) == ("failed", set())
    assert set(run.calls.filter(reply=refusal).values_list("status", flat=True)) == {"refusal"}


def test_too_few_readable_samples_are_no_answer(tmp_path: Path) -> None:
    study = rated_study()
    lines = [*steps(study), *samples(study, ["5", "?", "?", "?"])]
    run = run_with(study, tmp_path, lines, min_samples=2)
    assert (run.state, scores_of(run)) == ("failed", set())


def test_steps_that_fail_fail_every_unit_with_the_reason(tmp_path: Path) -> None:
    study = rated_study()
    run = run_with(study, tmp_path, [*steps(study, " "), *samples(study, ["5"] * 4)])
    assert scores_of(run) == set()
    assert run.state == "failed"


def test_more_readable_samples_than_there_are_cannot_be_asked_for(
    study: Study, tmp_path: Path
) -> None:
    with pytest.raises(BadJudge, match="min_samples"):
        judge_with(study, write_lines(tmp_path / "r.jsonl", []), min_samples=9)


def test_every_criterion_is_scored_by_itself(tmp_path: Path) -> None:
    study = make_study(blocks=(("likert", {"criteria": [FLUENCY, SUPPORT]}),))
    lines = [
        *samples(study, ["3", "4"]),
        *samples(study, ["yes", "no", "no", "no"], step="score 1"),
    ]
    both = {"fluency": "Read.", "support": "Compare."}
    run = run_with(study, tmp_path, lines, steps=both, samples=2)
    answers = Annotation.objects.filter(rater=run.rater).values_list("answer", flat=True)
    assert all(one == {"scores": {"fluency": 3.5, "support": "yes"}} for one in answers)
    assert len(answers) == Question.objects.filter(study=study).count()


def asking(study: Study, **parameters: Any) -> Judge:
    return define_judge(
        study=study,
        name="geval",
        method="geval",
        backend="chat",
        model=MODEL,
        parameters=parameters,
    )


def test_scales_without_points_are_not_weighed_and_cost_nothing(endpoint: Opening) -> None:
    server = endpoint()
    study = make_study(blocks=(("slider", {}),))
    judge = asking(study, scoring="logprobs")
    with pytest.raises(RunRefused, match="continuous"):
        plan_run(study=study, judge=judge)
    assert server.asked == []


def test_a_model_that_takes_no_temperature_is_asked_without_one(endpoint: Opening) -> None:
    server = endpoint(Behaviour(answer=lambda asked: "4" if "logprobs" in asked else "1. Read it."))
    study = make_study(blocks=(("likert", {"criteria": [FLUENCY]}),), sources=1)
    judge = asking(study, scoring="logprobs", temperature=None)
    run = work_all(plan_run(study=study, judge=judge))
    assert run.state == "complete"
    assert len(server.asked) == 2
    assert not any("temperature" in asked for asked in server.asked)


def sampled(server: Server, **parameters: Any) -> JudgeRun:
    study = make_study(blocks=(("likert", {"criteria": [FLUENCY]}),), sources=2)
    judge = asking(study, samples=4, steps={"fluency": "Read it."}, **parameters)
    return work_all(plan_run(study=study, judge=judge))


def spent_there(server: Server) -> Decimal:
    return Decimal(server.charged["micro"]) / 1_000_000


def test_samples_that_come_together_pay_for_their_prompt_once(endpoint: Opening) -> None:
    server = endpoint(Behaviour(reply="4"))
    run = sampled(server)
    n = run.calls.values("question").distinct().count()
    assert (run.state, len(server.asked)) == ("complete", n)
    assert {asked["n"] for asked in server.asked} == {4}
    assert run.calls.filter(status="answered", reply="4").count() == 4 * n
    assert run.calls.filter(tokens_in__gt=0).count() == n
    assert run.calls.filter(tokens_in=0, cost=0).count() == 3 * n
    assert run.spent == spent_there(server)
    samples = [call.request["sample"] for call in run.calls.order_by("question", "sample")]
    assert samples == [0, 1, 2, 3] * n
    again = sampled_again(run)
    assert (again.state, again.spent, len(server.asked)) == ("complete", Decimal(0), n)


def sampled_again(run: JudgeRun) -> JudgeRun:
    """A judge of the same name that wants fewer: they are found."""
    judge = define_judge(
        study=run.study,
        name="geval",
        method="geval",
        backend="chat",
        model=MODEL,
        parameters={"samples": 3, "steps": {"fluency": "Read it."}},
    )
    return work_all(plan_run(study=run.study, judge=judge))


@pytest.mark.parametrize(
    ("behaviour", "vain"),
    [
        (Behaviour(reply="4", choices=False), 0),
        (Behaviour(reply="4", unknown=("n",)), 1),
        (Behaviour(reply="4", unknown=("n",), saying="loc"), 1),
        (Behaviour(reply="4", unknown=("n",), saying=""), 2),
    ],
    ids=["gives one", "says so", "says so elsewhere", "says nothing"],
)
def test_an_endpoint_that_gives_one_reply_at_a_time_is_asked_for_each(
    endpoint: Opening, behaviour: Behaviour, vain: int
) -> None:
    server = endpoint(behaviour, in_flight=1)
    run = sampled(server)
    n = run.calls.values("question").distinct().count()
    assert run.state == "complete"
    assert run.calls.filter(status="answered").count() == 4 * n
    assert 4 * n + bool(vain) <= len(server.asked) <= 4 * n + n * bool(vain)
    assert run.spent == spent_there(server)


def test_what_is_not_taken_for_several_is_found_out_with_one(endpoint: Opening) -> None:
    server = endpoint(Behaviour(reply="4", unknown=("seed",)), in_flight=1)
    study = make_study(blocks=(("likert", {"criteria": [FLUENCY]}),), sources=8)
    judge = asking(study, samples=4, steps={"fluency": "Read it."})
    run = work_all(plan_run(study=study, judge=judge))
    assert (run.state, run.spent) == ("complete", spent_there(server))
    assert (server.asked[-1]["n"], "seed" in server.asked[-1]) == (4, False)


def test_of_samples_that_come_together_each_is_read_alone(endpoint: Opening) -> None:
    said = iter(["5", "4", "well", "4"] * 20)
    server = endpoint(Behaviour(answer=lambda _: next(said)))
    run = sampled(server)
    n = run.calls.values("question").distinct().count()
    assert list(scores_of(run)) == [pytest.approx(13 / 3)]
    assert run.calls.filter(status="parse_failure").count() == n
    assert run.spent == spent_there(server)


def test_samples_without_any_reply_all_say_why(endpoint: Opening) -> None:
    server = endpoint(tries=2)
    server.script.extend(["500"] * 100)
    run = sampled(server)
    assert run.state == "failed"
    assert set(run.calls.values_list("status", flat=True)) == {"error"}
