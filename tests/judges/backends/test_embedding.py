"""Embedding: the real MiniLM on a few sentences, and the arithmetic beside another library's."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from judges.backends.embedding import MINILM, Embedder, open_embedder
from judges.backends.local.models import ModelSettings
from judges.backends.local.weights import UnusableModel, pinned

CPU = ModelSettings(device="cpu")
TEXTS = [
    "The bridge was closed last year.",
    "Last year nobody could cross the bridge.",
    "Taxes rose in May.",
    "word " * 400,
    "",
]


@pytest.fixture(scope="session")
def minilm() -> Embedder:
    pytest.importorskip("torch", reason="PyTorch is not installed (the extra models)")
    try:
        model = pinned(MINILM)
    except UnusableModel as reason:
        pytest.skip(str(reason))
    return open_embedder(model, CPU)


def test_near_meanings_are_nearer_than_far_ones(minilm: Embedder) -> None:
    same, near, far = minilm.scored(
        [(TEXTS[0], TEXTS[0]), (TEXTS[0], TEXTS[1]), (TEXTS[0], TEXTS[2])]
    )
    assert same.values[0] == pytest.approx(1)
    assert same.values[0] > near.values[0] > far.values[0]
    assert near.values[0] - far.values[0] > 0.2


def test_a_text_is_cut_to_the_length_that_the_model_was_trained_with(minilm: Embedder) -> None:
    found = minilm.vectors(TEXTS)
    assert [one.cut for one in found] == [0, 0, 0, 400 + 2 - 256, 0]
    assert found[3].tokens == 256
    assert minilm.scored([(TEXTS[3], TEXTS[0])])[0].cut == 146


def test_a_text_that_occurs_again_is_computed_once(minilm: Embedder) -> None:
    embedder = Embedder(minilm.loaded, CPU)
    embedder.scored([("One.", "Two."), ("One.", "Three.")])
    embedder.scored([("Two.", "Three.")])
    assert embedder.cache.computed == 3


@pytest.mark.filterwarnings("ignore")
def test_vectors_are_those_of_sentence_transformers(minilm: Embedder) -> None:
    library = pytest.importorskip("sentence_transformers", reason="not installed")
    peer = library.SentenceTransformer(str(minilm.loaded.weights.folder), device="cpu")
    theirs = peer.encode(TEXTS, normalize_embeddings=True)
    for one, other in zip(minilm.vectors(TEXTS), theirs, strict=True):
        assert one.direction == pytest.approx(other, abs=1e-5)


def test_vectors_are_means_over_tokens_whatever_the_batch(encoder_folder: Path) -> None:
    texts = ["Taxes rose.", "The bridge was closed last year, said the mayor."]
    embedder = open_embedder(pinned(str(encoder_folder)), CPU)
    for text, one in zip(texts, embedder.vectors(texts), strict=True):
        assert one.direction == pytest.approx(plainly(encoder_folder, text), abs=1e-6)


def plainly(folder: Path, text: str) -> Sequence[float]:
    import torch

    from tests.judges import tiny_models

    words, model = tiny_models.plain(folder, "AutoModel")
    read = words(text, return_tensors="pt")
    with torch.no_grad():
        mean: Any = model(**read).last_hidden_state[0].mean(dim=0)
    return [float(number) for number in mean / mean.norm()]
