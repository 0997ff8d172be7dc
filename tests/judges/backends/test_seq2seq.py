"""Sequence to sequence: the first word's probability, and cuts of the document alone."""

import json
import shutil
from pathlib import Path

import pytest

from judges.backends.local.models import ModelSettings
from judges.backends.local.weights import UnusableModel, pinned
from judges.backends.seq2seq import DocumentPrompt, FirstWord, check_words, open_first_word
from tests.judges.backends.first_words import first_word, opened

LONG = "The bridge was closed last year, and traffic crossed the river elsewhere." * 9


def test_a_probability_is_that_of_the_first_step_among_all_words(sequence_folder: Path) -> None:
    model = opened(sequence_folder)
    inputs = [DocumentPrompt("claim: ", "Taxes rose."), DocumentPrompt("Was anybody there?")]
    for one, found in zip(inputs, model.scored(inputs), strict=True):
        ids = model.loaded.tokenizer(one.text)["input_ids"]
        for word, value in zip(("Yes", "No"), found.values, strict=True):
            assert value == pytest.approx(first_word(sequence_folder, ids, word), rel=1e-4)
        assert found.tokens == len(ids)


@pytest.fixture
def bare_folder(sequence_folder: Path, tmp_path: Path) -> Path:
    """The same model as TRUE is published: without a fast tokenizer, or a word on lengths."""
    copied = tmp_path / "bare"
    shutil.copytree(sequence_folder, copied)
    for file in copied.glob("tokenizer*"):
        file.unlink()
    (copied / "spiece.model").write_bytes(b"sentence pieces")
    return copied


def test_a_tokenizer_that_cannot_be_read_is_refused_with_the_packages_that_it_takes(
    bare_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judges.backends.local.weights.find_spec", lambda module: None)
    monkeypatch.setattr("judges.backends.local.weights.check_packages", lambda: None)
    said = "is only there as a SentencePiece model; to read it, install sentencepiece and protobuf"
    with pytest.raises(UnusableModel, match=said):
        check_words(pinned(str(bare_folder)), ("1",))
    with pytest.raises(UnusableModel, match=said):
        opened(bare_folder, ("1",))


@pytest.mark.parametrize(("positions", "longest"), [(None, 512), (256, 256), (4096, 4096)])
def test_a_model_that_says_no_length_is_taken_for_a_t5(
    sequence_folder: Path, tmp_path: Path, positions: int | None, longest: int
) -> None:
    copied = tmp_path / "silent"
    shutil.copytree(sequence_folder, copied)
    for name, field, value in (
        ("tokenizer_config.json", "model_max_length", None),
        ("config.json", "n_positions", positions),
    ):
        told = json.loads((copied / name).read_text())
        told.pop(field, None)
        (copied / name).write_text(json.dumps(told if value is None else {**told, field: value}))
    assert opened(copied).longest == longest


def test_what_comes_behind_the_document_is_kept_whole(sequence_folder: Path) -> None:
    model = opened(sequence_folder, max_tokens=48)
    tail = " hypothesis: Nobody was there."
    (found,) = model.scored([DocumentPrompt("premise: ", LONG, tail)])
    whole = model.loaded.tokenizer("premise: " + LONG + tail)["input_ids"]
    assert (found.tokens, found.cut) == (48, len(whole) - 48)
    # The last tokens are the hypothesis and the end; what is missing lies before them.
    behind = len(model.loaded.tokenizer(tail)["input_ids"])
    ids = whole[: 48 - behind] + whole[-behind:]
    assert found.values[0] == pytest.approx(first_word(sequence_folder, ids, "Yes"), rel=1e-4)


def test_a_document_at_the_end_is_cut_as_transformers_cuts(sequence_folder: Path) -> None:
    model = opened(sequence_folder, max_tokens=48)
    one = DocumentPrompt("claim: Taxes rose. </s> document: ", LONG)
    (found,) = model.scored([one])
    ids = model.loaded.tokenizer(one.text, truncation=True, max_length=48)["input_ids"]
    assert found.values[0] == pytest.approx(first_word(sequence_folder, ids, "Yes"), rel=1e-4)


def test_a_text_that_leaves_the_document_no_room_is_refused(sequence_folder: Path) -> None:
    model = opened(sequence_folder, max_tokens=48)
    for one in (DocumentPrompt("claim: " + LONG, "Taxes rose."), DocumentPrompt("claim: " + LONG)):
        assert "leaves no room for the document in the 48 tokens" in model.scored([one])[0].refused


def test_the_word_that_is_most_probable_of_all_is_told(sequence_folder: Path) -> None:
    import torch

    model = opened(sequence_folder)
    row = model.loaded.model.lm_head.weight[model.ids[1]]
    tops = set()
    for louder in (1, 1000, -1):  # as it is, then No is the first word, one way or the other
        with torch.no_grad():
            row *= louder
        tops.add(
            FirstWord(model.loaded, ("Yes", "No"), ModelSettings())
            .scored([DocumentPrompt("one")])[0]
            .top
        )
    with torch.no_grad():
        row /= -1000
    assert tops == {-1, 1}


def test_a_model_that_splits_a_word_is_refused_before_and_when_it_is_loaded(
    tmp_path: Path,
) -> None:
    from tests.judges import tiny_models

    model = pinned(str(tiny_models.sequence_model(tmp_path, whole=("No",))))
    reason = "has no single token for 'Yes'"
    with pytest.raises(UnusableModel, match=reason):
        check_words(model, ("Yes", "No"))
    with pytest.raises(UnusableModel, match=reason):
        open_first_word(model, ("Yes", "No"), ModelSettings(device="cpu"))
    check_words(model, ("No",))
