"""Prometheus: the trained format to the letter, and the verdict from its one place."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from hypothesis import example, given
from hypothesis import strategies as st

from annotation.models import Annotation, Question, Study
from judges.definitions.versions import define_judge
from judges.methods.prometheus.replies import Unreadable, read_verdict
from judges.models import Judge, JudgeRun
from judges.runs.plans.plan import plan_run
from judges.runs.plans.scope import RunRefused
from tests.cast import make_study
from tests.judges.scripted_judges import work_all, write_lines

LEVELS = ["It misleads.", "It is vague.", "It says some.", "It says most.", "It says it all."]
HELPFUL = {
    "key": "helpful",
    "question": "Does it help?",
    "points": [{"value": n, "definition": text} for n, text in enumerate(LEVELS, 1)],
}
GOOD = "It says most of it, but not when. A 5 would name the day. [RESULT] 4"


FORMS = (
    "Score 4",
    "score: 4/5",
    "**Score:** 4",
    "4/5",
    "4 / 5",
    "4.0",
    "4.0/5.0",
    "4 out of 5",
    "**4**",
    "(4/5)",
    ": 4",
    "`4`.",
    "[4]",
)
MARKS = (
    "[RESULT]:",
    "**[RESULT]**",
    "[Result]",
    "Score:",
    "**Score:**",
    "Overall score:",
    "SCORE :",
)


@pytest.mark.parametrize(
    ("reply", "verdict"),
    [
        (GOOD, "4"),
        ("Fine.\n[RESULT] 5\n", "5"),
        ("Fine. [RESULT] (3)", "3"),
        ("Fine. [RESULT] [2].", "2"),
        ("Scores from 1 to 5 exist. Score: 5. [RESULT]1", "1"),
        *((f"Fine. [RESULT] {verdict}", "4") for verdict in FORMS),
        *((f"Fine.\n{mark} 4", "4") for mark in MARKS),
    ],
)
def test_the_verdict_is_what_stands_at_the_end(reply: str, verdict: str) -> None:
    feedback, found = read_verdict(reply, "12345")
    assert found == verdict
    assert reply.startswith(feedback)
    assert "4" not in feedback or reply is GOOD


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "empty"),
        ("Score: 4", "no feedback"),
        ("I would give it a 4.", "no \\[RESULT\\]"),
        ("Good. Score 4", "no \\[RESULT\\]"),
        ("Good. The score of 4", "no \\[RESULT\\]"),
        ("Style score: 3. Content score: 4", "has 2 score:"),
        ("Good. Score: 4 as it says most", "none of 1, 2"),
        ("Good. Underscore: 4", "no \\[RESULT\\]"),
        ("Good. [RESULT] Score 4 or 5", "none of 1, 2"),
        ("Good. [RESULT] Scored 4", "none of 1, 2"),
        ("Good. [RESULT] 4.5", "none of 1, 2"),
        ("Good. [RESULT] 4.5/5", "none of 1, 2"),
        ("Good. [RESULT] .4", "none of 1, 2"),
        ("Good. [RESULT] -4", "none of 1, 2"),
        ("Good. [RESULT] 4/10", "none of 1, 2"),
        ("Good. [RESULT] 4 5", "none of 1, 2"),
        ("Good. [RESULT] 4/5/5", "none of 1, 2"),
        ("Good. [RESULT] four", "none of 1, 2"),
        ("Good. [RESULT] 0", "none of 1, 2"),
        ("Good. [RESULT] ٤", "none of 1, 2"),
        ("Good. [RESULT] (an integer number between 1 and 5)", "none of 1, 2"),
        ("Good. [RESULT] 6", "none of 1, 2"),
        ("Good. [RESULT] 45", "none of 1, 2"),
        ("Good. [RESULT] A", "none of 1, 2"),
        ("Good. [RESULT]", "none of 1, 2"),
        ("[RESULT] 4", "no feedback"),
        ('as "(write a feedback) [RESULT] (an integer between 1 and 5)": [RESULT] 4', "has 2"),
    ],
)
def test_nothing_else_of_a_reply_is_taken_for_one(reply: str, reason: str) -> None:
    with pytest.raises(Unreadable, match=reason):
        read_verdict(reply, "12345")


def test_letters_are_read_in_the_same_forms_but_not_after_score() -> None:
    for form in ("B", "**B**", "(B)", ": B", "B."):
        assert read_verdict(f"Fine. [RESULT] {form}", "AB")[1] == "B"
    for reply in ("Fine. [RESULT] C", "Fine. [RESULT] AB", "Fine. Score: B", "Fine. [RESULT] 1"):
        with pytest.raises(Unreadable):
            read_verdict(reply, "AB")


@pytest.mark.parametrize("end", ["Overall score: 4", "[RESULT] 4"])
def test_a_number_of_the_prompt_is_no_verdict(end: str) -> None:
    prompt = f"###Response to evaluate:\nThe critic wrote:\n{end}\n\n###Score Rubrics:"
    with pytest.raises(Unreadable, match="repeats the prompt"):
        read_verdict(f"It is vague.\n{end}\n", "12345", prompt)
    assert read_verdict(f"It is vague. {end}", "12345", prompt)[1] == "4"


PIECES = st.sampled_from(
    [*("[RESULT]", "Score:", "Score 4:", "4", "5", "4/5", "5/5", "4.5", "4.0", "10", "-3", "."),
     *("good", "out of 5", "**3**", "(", ")", "\n", ":", "(an integer number between 1 and 5)")]
)  # fmt: skip


@example("good [RESULT] Score: 4")
@given(st.lists(PIECES, max_size=7).map(" ".join))
def test_a_verdict_is_the_one_number_after_the_one_mark(reply: str) -> None:
    try:
        _, verdict = read_verdict(reply, "12345")
    except Unreadable:
        return
    before, mark, rest = reply.rpartition("[RESULT]" if "[RESULT]" in reply else "Score:")
    assert mark
    assert mark not in before
    numbers = re.findall(r"[\d.]*\d", rest.replace("/ 5", "/5"))
    assert float(numbers[0]) == int(verdict)
    assert numbers[1:] in ([], ["5"])
    words = rest.replace("out of", "").replace("Score", "", 1)  # either may stand beside it
    assert not re.search(r"[a-z]|-", words)


pytestmark = pytest.mark.django_db


def judge_with(study: Study, file: Path, **parameters: Any) -> Judge:
    return define_judge(
        study=study,
        name="prometheus",
        method="prometheus",
        backend="scripted",
        model="none",
        parameters={"replies": str(file), **parameters},
    )


def run_with(study: Study, folder: Path, reply: str, **parameters: Any) -> JudgeRun:
    keys = Question.objects.filter(study=study).values_list("unit__key", flat=True)
    steps = [f"grade {number}" for number in range(3)]
    lines = [{"unit": key, "step": step, "reply": reply} for key in set(keys) for step in steps]
    judge = judge_with(study, write_lines(folder / "replies.jsonl", lines), **parameters)
    return work_all(plan_run(study=study, judge=judge))


def likert(criterion: dict[str, Any]) -> Study:
    return make_study(blocks=(("likert", {"criteria": [criterion]}),))


def test_a_text_is_graded_in_the_format_the_model_was_trained_on(tmp_path: Path) -> None:
    study = likert(HELPFUL)
    run = run_with(study, tmp_path, GOOD)
    assert run.state == "complete"
    answers = Annotation.objects.filter(rater=run.rater).values_list("answer", flat=True)
    assert all(answer == {"scores": {"helpful": 4.0}} for answer in answers)
    call = run.calls.select_related("question").earliest("pk")
    system, user = call.request["messages"]
    assert system["content"].startswith("You are a fair judge assistant tasked with")
    asked = user["content"]
    assert asked.startswith("###Task Description:\nAn instruction (might include an Input")
    assert asked.endswith("\n\n###Feedback: ")
    text = " ".join(call.question.payload["sentences"])
    assert f"###Response to evaluate:\n{text}\n\n###Score Rubrics:\n" in asked
    rubric = "\n".join(f"Score {n}: {level}" for n, level in enumerate(LEVELS, 1))
    assert f"[Does it help?]\n{rubric}\n\n" in asked
    assert "Reference Answer" not in asked
    assert call.reply == GOOD


def test_what_a_text_is_held_against_can_be_shown_as_the_reference(tmp_path: Path) -> None:
    study = likert(HELPFUL)
    run = run_with(study, tmp_path, GOOD, reference="document")
    call = run.calls.select_related("question").earliest("pk")
    evidence = "\n".join(one["text"] for one in call.question.payload["passages"])
    wanted = f"###Reference Answer (Score 5):\n{evidence}\n\n###Score Rubrics:"
    assert wanted in call.request["messages"][1]["content"]


def test_a_scale_without_descriptions_is_refused_before_anything_is_asked(tmp_path: Path) -> None:
    study = likert({"key": "helpful", "question": "Does it help?", "low": 1, "high": 5})
    with pytest.raises(RunRefused, match="helpful: its scale does not have five points"):
        run_with(study, tmp_path, GOOD)


def test_a_rubric_of_the_judge_spreads_over_a_scale_of_another_length(tmp_path: Path) -> None:
    """4 of 1 to 5 is three quarters of the way: 5.5 of 1 to 7."""
    study = likert({"key": "helpful", "question": "Does it help?", "low": 1, "high": 7})
    run = run_with(study, tmp_path, GOOD, rubrics={"helpful": LEVELS})
    answers = Annotation.objects.filter(rater=run.rater).values_list("answer", flat=True)
    assert [answer["scores"]["helpful"] for answer in answers] == [5.5] * len(answers)
    assert run.state == "complete"


def test_names_are_refused(tmp_path: Path) -> None:
    yes_no = {
        "key": "helpful",
        "question": "Does it help?",
        "distance": "nominal",
        "points": [{"value": "yes"}, {"value": "no"}],
    }
    with pytest.raises(RunRefused, match="names"):
        run_with(likert(yes_no), tmp_path, GOOD, rubrics={"helpful": LEVELS})


def test_a_reply_without_a_verdict_is_kept_and_is_no_answer(tmp_path: Path) -> None:
    run = run_with(likert(HELPFUL), tmp_path, "I would give it a 4.")
    assert run.state == "failed"
    assert set(run.calls.values_list("status", "reply")) == {
        ("parse_failure", "I would give it a 4.")
    }


def test_of_two_texts_the_letter_at_the_end_is_the_better_one(tmp_path: Path) -> None:
    file = Path(settings.BASE_DIR) / "examples" / "pairwise" / "study.yaml"
    call_command("apply_study", str(file), verbosity=0)
    study = Study.objects.get()
    run = run_with(study, tmp_path, "B says when. [RESULT] B")
    assert run.state == "complete"
    for one in Annotation.objects.filter(rater=run.rater).select_related("question"):
        behind = {c["letter"]: c["item"] for c in one.question.payload["candidates"]}
        assert set(one.answer["preferred"].values()) == {("first", "second")[behind["B"]]}
    asked = run.calls.earliest("pk").request["messages"]
    assert asked[0]["content"].startswith("You are a fair judge assistant assigned")
    assert "###Response A:\n" in asked[1]["content"]
    assert asked[1]["content"].endswith("]\n\n###Feedback: ")
