"""Sequence to sequence: how probable certain words are as the first of a model's reply.

An input is a text with a document in it, which alone may be cut, at its end.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from judges.backends.local.batches import Memory, Scored, in_batches
from judges.backends.local.models import (
    REMEMBERED,
    Encoded,
    Loaded,
    Setting,
    kept_open,
    load,
    longest_input,
)
from judges.backends.local.weights import Unfit, Weights, check_tokenizer, tokenizer_file

NAME = "seq2seq"
# What the models of the T5 family were trained on, of which some say no length at all.
LENGTH_OF_T5 = 512
TOO_LONG = "The text leaves the document no room within the {} tokens that the model takes."


@dataclass(frozen=True)
class Input:
    """What the model reads: `before`, then the document, then `after`."""

    before: str
    document: str = ""
    after: str = ""

    @property
    def text(self) -> str:
        return self.before + self.document + self.after


class FirstWord:
    """A loaded model that is asked for the first word of its reply, one of `words`."""

    def __init__(self, loaded: Loaded, words: Sequence[str], setting: Setting) -> None:
        self.loaded = loaded
        self.ids = [_only_token(loaded, word) for word in words]
        self.start = loaded.model.config.decoder_start_token_id
        if self.start is None:
            raise Unfit(f"{loaded.weights.name} does not say how a reply begins")
        self.longest = longest_input(loaded, setting, default=LENGTH_OF_T5)
        self.memory: Memory[Input, Scored] = Memory(REMEMBERED)

    def scored(self, inputs: Sequence[Input]) -> list[Scored]:
        """The probability of each word at the first step of the decoder, among all words.

        An input that is too long loses the end of its document; refused where nothing of that
        would be left.
        """
        return self.memory.results(inputs, self._compute)

    def _compute(self, inputs: list[Input]) -> list[Scored]:
        results = [Scored(refused=TOO_LONG.format(self.longest)) for _ in inputs]
        encoded = self._encoded(inputs)
        asked = [(place, one) for place, one in enumerate(encoded) if one is not None]
        lengths = [len(one["input_ids"]) for _, (one, _) in asked]
        for batch in in_batches(lengths, budget=self.loaded.budget):
            rows, tops = self._probabilities([asked[at][1][0] for at in batch])
            for at, row, top in zip(batch, rows, tops, strict=True):
                place, (_, cut) = asked[at]
                best = self.ids.index(top) if top in self.ids else -1
                results[place] = Scored(tuple(row), lengths[at], cut, best)
        return results

    def _encoded(self, inputs: list[Input]) -> list[tuple[Encoded, int] | None]:
        """Each input as the model reads it, and how many tokens were cut; None for too long."""
        found = self.loaded.tokenizer(
            [one.text for one in inputs],
            truncation=False,
            return_offsets_mapping=True,
            verbose=False,
        )
        every = zip(inputs, found["input_ids"], found["offset_mapping"], strict=True)
        return [self._fitted(one, ids, offsets) for one, ids, offsets in every]

    def _fitted(
        self, one: Input, ids: list[int], offsets: Sequence[tuple[int, int]]
    ) -> tuple[Encoded, int] | None:
        """The tokens less the last ones of the document that are too many, and how many these
        are; None where nothing of it would be left."""
        too_many = max(0, len(ids) - self.longest)
        kept = ids
        if too_many:
            start, end = len(one.before), len(one.before) + len(one.document)
            # A token belongs to the document where its last character does: some bring the space
            # before them along.
            document = [at for at, (_, last) in enumerate(offsets) if start < last <= end]
            if too_many >= len(document):
                return None
            dropped = set(document[-too_many:])
            kept = [number for at, number in enumerate(ids) if at not in dropped]
        return {"input_ids": kept, "attention_mask": [1] * len(kept)}, too_many

    def _probabilities(self, encoded: Sequence[Encoded]) -> tuple[list[list[float]], list[int]]:
        """Of every input: the probability of each word, and the most probable token of all."""
        import torch

        start = torch.full((len(encoded), 1), self.start, device=self.loaded.device)
        with self.loaded.computing():
            numbers = self.loaded.model(
                **self.loaded.padded(encoded), decoder_input_ids=start
            ).logits[:, 0]
        # In double precision, where two words that are both improbable can still be compared.
        wide = numbers.float().cpu().double()
        return wide.softmax(dim=-1)[:, self.ids].tolist(), wide.argmax(dim=-1).tolist()


def open_first_word(weights: Weights, words: tuple[str, ...], setting: Setting) -> FirstWord:
    """The model of these weights, loaded once per process; Unfit where it cannot be used."""

    def make() -> FirstWord:
        return FirstWord(load("AutoModelForSeq2SeqLM", weights, setting), words, setting)

    return kept_open((NAME, weights, words, setting), make)


def check_words(weights: Weights, words: Sequence[str]) -> None:
    """Unfit where a word is not one token, or the tokenizer cannot be read, as far as that can be
    told without loading."""
    check_tokenizer(weights)
    file = tokenizer_file(weights)
    if file is None:
        return
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(file))
    for word in words:
        _check_single(weights, word, tokenizer.encode(word, add_special_tokens=False).tokens)


def _only_token(loaded: Loaded, word: str) -> int:
    ids = loaded.tokenizer(word, add_special_tokens=False)["input_ids"]
    _check_single(loaded.weights, word, loaded.tokenizer.convert_ids_to_tokens(ids))
    if ids[0] == loaded.tokenizer.unk_token_id:
        raise Unfit(f"{loaded.weights.name} does not know the word {word!r}")
    found: int = ids[0]
    return found


def _check_single(weights: Weights, word: str, tokens: Sequence[str]) -> None:
    if len(tokens) != 1:
        said = " ".join(tokens) or "nothing"
        raise Unfit(f"{weights.name} has no single token for {word!r} (it reads {said})")
