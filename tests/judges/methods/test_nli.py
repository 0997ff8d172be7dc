"""The judge of entailment: a classifier's or a TRUE-style model's word, sentence by sentence."""

from pathlib import Path
from typing import Any

import pytest

from annotation.models import Study
from judges.backends.contract import Failure, Unusable
from judges.definitions.versions import BadJudge, define_judge
from judges.methods.nli import Nli, NliParameters
from judges.models import Call
from judges.runs.plans.plan import plan_run
from tests.judges.methods.asks import PASSAGE, SENTENCES, answered, rating, recovery
from tests.judges.scripted_judges import work_all


def nli(folder: Path, backend: str = "classification", **parameters: Any) -> Nli:
    settled, model = Nli.resolve_model(
        NliParameters(device="cpu", **parameters), model=str(folder), backend=backend
    )
    return Nli(settled, model=model, backend=backend)


def pipeline(folder: Path) -> list[dict[str, float]]:
    """The probabilities of every label for each sentence, by transformers' own pipeline."""
    from transformers import pipeline as opened

    classify: Any = opened("text-classification", model=str(folder), top_k=None, device="cpu")
    pairs = [{"text": PASSAGE, "text_pair": text} for text in SENTENCES]
    return [{one["label"]: one["score"] for one in classify(pair)} for pair in pairs]


def test_the_entailed_sentences_are_those_of_the_pipeline(classifier_folder: Path) -> None:
    rows = pipeline(classifier_folder)
    method = nli(classifier_folder)
    outcome = method.answer(recovery())
    expected = [n for n, row in enumerate(rows) if max(row, key=row.__getitem__) == "entailment"]
    assert answered(outcome).sentences == tuple(expected)
    scores = outcome.replies[0].detail["scores"]
    assert scores == pytest.approx({str(n): row["entailment"] for n, row in enumerate(rows)})


def test_with_a_threshold_the_probability_decides(classifier_folder: Path) -> None:
    shares = [row["entailment"] for row in pipeline(classifier_folder)]
    between = sum(sorted(shares)[1:3]) / 2
    found = answered(nli(classifier_folder, threshold=between).answer(recovery()))
    assert found.sentences == tuple(n for n, share in enumerate(shares) if share >= between)
    assert len(found.sentences) == 2


def test_of_each_sentence_it_says_yes_or_no(classifier_folder: Path) -> None:
    ask = rating(labels=("yes", "no"), per_sentence=True)
    chosen = answered(nli(classifier_folder, threshold=0.5).answer(recovery())).sentences
    found = answered(nli(classifier_folder, threshold=0.5).answer(ask))
    assert found.of("quality") == tuple("yes" if n in chosen else "no" for n in range(4))


def test_the_label_that_means_yes_can_be_named(classifier_folder: Path) -> None:
    ask = rating(labels=("Unsupported", "Supported"), per_sentence=True)
    for threshold, label in ((0.0, "Supported"), (1.0, "Unsupported")):
        method = nli(classifier_folder, threshold=threshold, yes=["supported"])
        assert set(answered(method.answer(ask)).of("quality")) == {label}


def test_a_scale_of_many_points_is_no_yes_or_no(classifier_folder: Path) -> None:
    (reply,) = nli(classifier_folder).answer(rating()).replies
    assert reply.failure is Failure.ERROR
    assert "quality: nli needs a yes and a no, but the points are 1, 2, 3, 4, 5" in reply.error


def test_a_sequence_model_gets_premise_and_hypothesis_in_its_own_format(
    sequence_folder: Path,
) -> None:
    from tests.judges.backends.first_words import first_word, opened

    method = nli(sequence_folder, "seq2seq", threshold=0.5)
    outcome = method.answer(recovery())
    words = opened(sequence_folder).loaded.tokenizer
    for text, score in zip(SENTENCES, outcome.replies[0].detail["scores"].values(), strict=True):
        ids = words(f"premise: {PASSAGE} hypothesis: {text}")["input_ids"]
        assert score == pytest.approx(first_word(sequence_folder, ids, "1"), rel=1e-4)
    assert (
        method.prompt_text(recovery().task_type) == "premise: ${premise} hypothesis: ${hypothesis}"
    )


def test_cuts_of_the_premise_are_counted(classifier_folder: Path) -> None:
    (reply,) = nli(classifier_folder).answer(recovery(passage=PASSAGE * 20)).replies
    assert (reply.detail["inputs"], reply.detail["inputs_cut"]) == (4, 4)
    assert reply.detail["tokens_cut"] > 100


def test_a_hypothesis_that_leaves_no_room_is_a_failure(classifier_folder: Path) -> None:
    (reply,) = nli(classifier_folder).answer(recovery(sentences=[PASSAGE * 20])).replies
    assert reply.failure is Failure.ERROR
    assert "leaves no room for the first" in reply.error


@pytest.mark.django_db
def test_a_model_that_knows_no_entailment_is_refused_when_the_judge_is_defined(
    study: Study, tmp_path: Path
) -> None:
    from tests.judges import tiny_models

    folder = tiny_models.classifier(tmp_path, labels=("good", "bad"))
    with pytest.raises(BadJudge, match=r"model: .* has no label for entailment"):
        define_judge(study=study, name="nli", method="nli", model=str(folder))
    words = tiny_models.sequence_model(tmp_path / "words", whole=("Yes", "No"))
    with pytest.raises(BadJudge, match=r"model: .* has no single token for '1'"):
        define_judge(study=study, name="nli", method="nli", backend="seq2seq", model=str(words))


def test_a_model_that_has_changed_answers_nobody(classifier_folder: Path, tmp_path: Path) -> None:
    import shutil

    shutil.copytree(classifier_folder, tmp_path / "model")
    method = nli(tmp_path / "model")
    (tmp_path / "model" / "config.json").write_text("{}")
    with pytest.raises(Unusable, match="has changed since the judge was defined"):
        method.answer(recovery())


@pytest.mark.django_db
def test_a_run_keeps_what_was_asked_and_answered(study: Study, classifier_folder: Path) -> None:
    judge = define_judge(study=study, name="nli", method="nli", model=str(classifier_folder))
    run = work_all(plan_run(study=study, judge=judge, subset="full"))
    assert (run.state, run.n_calls) == ("complete", 3)
    for call in Call.objects.filter(run=run):
        assert call.annotation is not None
        assert call.request["revision"] == judge.parameters["revision"]
        assert set(call.detail["scores"]) == {"0", "1", "2"}


@pytest.mark.django_db
def test_a_run_of_a_model_that_is_gone_fails_at_once(
    study: Study, classifier_folder: Path, tmp_path: Path
) -> None:
    import shutil

    folder = shutil.copytree(classifier_folder, tmp_path / "model")
    judge = define_judge(study=study, name="nli", method="nli", model=str(folder))
    run = plan_run(study=study, judge=judge, subset="full")
    shutil.rmtree(folder)
    run = work_all(run)
    assert run.state == "failed"
    assert "there is no folder" in run.reason
