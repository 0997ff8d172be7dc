"""UniEval: the trained questions, and scores equal to transformers alone to 1e-6."""

from pathlib import Path
from statistics import fmean
from typing import Any, get_args

import pytest

from annotation.models import Annotation, Study
from judges.backends.contract import Failure
from judges.definitions.versions import BadJudge, define_judge
from judges.methods.unieval import UniEval, UniEvalParameters
from judges.methods.unieval.dimensions import Dimension, filled
from judges.runs.plans.plan import plan_run
from tasktypes.likert import LIKERT
from tests.cast import make_study
from tests.judges.methods.asks import PASSAGE, SENTENCES, answered, rating, slider
from tests.judges.scripted_judges import work_all

LONG = " ".join([PASSAGE] * 30)


def unieval(folder: Path, **parameters: Any) -> UniEval:
    settled, model = UniEval.resolve_model(
        UniEvalParameters(device="cpu", **parameters), model=str(folder), backend="seq2seq"
    )
    return UniEval(settled, model=model, backend="seq2seq")


def plainly(folder: Path, text: str, longest: int = 1024) -> float:
    """P(Yes) / (P(Yes) + P(No)) as the published tool computes it: any one word as the target,
    the softmax of the first step."""
    import torch

    from tests.judges import tiny_models

    words, model = tiny_models.plain(folder, "AutoModelForSeq2SeqLM")
    read = words(text, max_length=longest, truncation=True, return_tensors="pt")
    target = words("No", return_tensors="pt")["input_ids"][:, :1]
    with torch.no_grad():
        numbers = model(
            input_ids=read["input_ids"], attention_mask=read["attention_mask"], labels=target
        ).logits[0, 0]
    yes, no = (float(numbers.softmax(-1)[words(word)["input_ids"][0]]) for word in ("Yes", "No"))
    return yes / (yes + no)


def consistency(sentence: str, document: str) -> str:
    return (
        "question: Is this claim consistent with the document? </s> claim: "
        f"{sentence} </s> document: {document}"
    )


@pytest.mark.parametrize("document", [PASSAGE, LONG], ids=["short", "cut"])
def test_scores_equal_an_independent_computation(sequence_folder: Path, document: str) -> None:
    outcome = unieval(sequence_folder, max_tokens=120).answer(rating(document=document))
    parts = [plainly(sequence_folder, consistency(text, document), 120) for text in SENTENCES]
    (found,) = outcome.replies[0].detail["scores"]
    assert found["parts"] == pytest.approx(parts, abs=1e-6)
    assert found["score"] == pytest.approx(fmean(parts), abs=1e-6)
    assert answered(outcome).of("quality")[0] == pytest.approx(1 + 4 * fmean(parts), abs=1e-5)
    assert outcome.replies[0].detail["inputs_cut"] == (4 if document == LONG else 0)
    LIKERT.check_between(rating().payload, answered(outcome))


def test_each_sentence_has_a_score_of_its_own_where_that_is_asked(sequence_folder: Path) -> None:
    outcome = unieval(sequence_folder).answer(rating(per_sentence=True))
    parts = [plainly(sequence_folder, consistency(text, PASSAGE)) for text in SENTENCES]
    expected = [1 + 4 * part for part in parts]
    assert answered(outcome).of("quality") == pytest.approx(expected, abs=1e-5)


def test_of_a_yes_and_a_no_it_is_yes_from_a_half_on(sequence_folder: Path) -> None:
    ask = rating(labels=("no", "yes"), per_sentence=True)
    outcome = unieval(sequence_folder).answer(ask)
    scores = [one["score"] for one in outcome.replies[0].detail["scores"]]
    expected = tuple("yes" if score >= 0.5 else "no" for score in scores)
    assert answered(outcome).of("quality") == expected


def test_a_slider_gets_a_place_between_its_ends(sequence_folder: Path) -> None:
    outcome = unieval(sequence_folder).answer(slider())
    parts = [plainly(sequence_folder, consistency(text, PASSAGE)) for text in SENTENCES]
    assert answered(outcome).value == pytest.approx(100 * fmean(parts), abs=1e-4)


def test_a_criterion_can_mean_another_dimension(sequence_folder: Path) -> None:
    method = unieval(sequence_folder, criteria={"coherent": "coherence", "fluent": "fluency"})
    outcome = method.answer(rating(keys=("coherent", "fluent", "faithful")))
    coherent, fluent, faithful = outcome.replies[0].detail["scores"]
    whole = " ".join(SENTENCES)
    asked = (
        "question: Is this a coherent summary to the document? </s> summary: "
        f"{whole} </s> document: {PASSAGE}"
    )
    assert coherent["parts"] == pytest.approx([plainly(sequence_folder, asked)], abs=1e-6)
    asked = f"question: Is this a fluent paragraph? </s> paragraph: {SENTENCES[0]}"
    assert fluent["parts"][0] == pytest.approx(plainly(sequence_folder, asked), abs=1e-6)
    assert len(faithful["parts"]) == 4
    shown = method.prompt_text(LIKERT)
    assert "question: Is this a fluent paragraph? </s> paragraph: ${text}" in shown


@pytest.mark.parametrize("dimension", get_args(Dimension))
def test_every_dimension_has_its_trained_question(dimension: Any) -> None:
    one = filled(dimension, "A text with $5.", "A document.")
    assert one.before.startswith("question: Is this ")
    assert " </s> " in one.before
    assert one.text.count("A text with $5.") == 1
    assert one.after == ""


@pytest.mark.parametrize(
    ("ask", "reason"),
    [
        (rating(document=""), "unieval needs a document or passages"),
        (rating(labels=("red", "green")), "its points are red, green, not a yes and a no"),
        (rating(sentences=("[3]",)), "there is no text to judge"),
        (
            rating(sentences=("the bridge " * 60,)),
            "leaves no room for the document in the 64 tokens",
        ),
    ],
)
def test_what_cannot_be_judged_is_a_failure_with_its_reason(
    sequence_folder: Path, ask: Any, reason: str
) -> None:
    (reply,) = unieval(sequence_folder, max_tokens=64, dimension="consistency").answer(ask).replies
    assert reply.failure is Failure.ERROR
    assert reason in reply.error


@pytest.mark.django_db
def test_a_model_without_yes_and_no_is_refused_when_the_judge_is_defined(
    study: Study, tmp_path: Path
) -> None:
    from tests.judges import tiny_models

    folder = tiny_models.sequence_model(tmp_path, whole=("No",))
    with pytest.raises(BadJudge, match=r"model: .* has no single token for 'Yes'"):
        define_judge(study=study, name="unieval", method="unieval", model=str(folder))
    with pytest.raises(BadJudge, match=r"parameters\.dimension: Input should be 'consistency'"):
        define_judge(
            study=study, name="unieval", method="unieval", parameters={"dimension": "beauty"}
        )


@pytest.mark.django_db
def test_a_run_writes_numbers_between_the_points(owner: Any, sequence_folder: Path) -> None:
    study: Study = make_study("rated", blocks=(("likert", {}),))
    judge = define_judge(study=study, name="unieval", method="unieval", model=str(sequence_folder))
    run = work_all(plan_run(study=study, judge=judge, subset="full"))
    assert run.state == "complete"
    values = [one.answer["scores"]["quality"] for one in Annotation.objects.filter(rater=run.rater)]
    assert len(values) == 3
    assert all(1 <= value <= 5 for value in values)
    assert "question: Is this claim" in run.prompts["likert"]["text"]
