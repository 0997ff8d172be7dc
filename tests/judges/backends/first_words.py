"""The probability of a first word: by our backend, and by transformers alone."""

from pathlib import Path
from typing import Any

from judges.backends.local.models import ModelSettings
from judges.backends.local.weights import pinned
from judges.backends.seq2seq import FirstWord, open_first_word


def opened(folder: Path, words: tuple[str, ...] = ("Yes", "No"), **setting: Any) -> FirstWord:
    return open_first_word(pinned(str(folder)), words, ModelSettings(device="cpu", **setting))


def first_word(folder: Path, ids: list[int], word: str) -> float:
    """P(word) at the first step, by transformers alone."""
    import torch

    from tests.judges import tiny_models

    words, model = tiny_models.plain(folder, "AutoModelForSeq2SeqLM")
    with torch.no_grad():
        numbers = model(input_ids=torch.tensor([ids]), decoder_input_ids=torch.tensor([[0]])).logits
    (token,) = words(word, add_special_tokens=False)["input_ids"]
    return float(numbers[0, 0].softmax(-1)[token])
