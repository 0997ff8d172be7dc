"""Sequence to sequence: the probability of certain words as the first of a model's reply.

An input is a text with a document in it. Only the document may be cut, at its end.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from judges.backends.local.batches import ModelScores, ResultCache, in_batches
from judges.backends.local.models import (
    MOST_RESULTS,
    Encoded,
    LoadedModel,
    ModelSettings,
    load,
    longest_input,
    open_once,
)
from judges.backends.local.weights import UnusableModel, Weights, check_tokenizer, tokenizer_file

NAME = "seq2seq"
# The length that T5 models were trained with; some of their configs do not state it.
LENGTH_OF_T5 = 512
TOO_LONG = "The text leaves no room for the document in the {} tokens that the model takes."


@dataclass(frozen=True)
class DocumentPrompt:
    """An input of the model: `before`, then the document, then `after`."""

    before: str
    document: str = ""
    after: str = ""

    @property
    def text(self) -> str:
        return self.before + self.document + self.after


class FirstWord:
    """A loaded model, read for the probability of each of `words` as the first of its reply."""

    def __init__(self, loaded: LoadedModel, words: Sequence[str], settings: ModelSettings) -> None:
        self.loaded = loaded
        self.ids = [_only_token(loaded, word) for word in words]
        self.start = loaded.model.config.decoder_start_token_id
        if self.start is None:
            raise UnusableModel(f"{loaded.weights.name} has no start token for its decoder")
        self.longest = longest_input(loaded, settings, default=LENGTH_OF_T5)
        self.cache: ResultCache[DocumentPrompt, ModelScores] = ResultCache(MOST_RESULTS)

    def scored(self, inputs: Sequence[DocumentPrompt]) -> list[ModelScores]:
        """The probability of each word at the decoder's first step, over the whole vocabulary.

        An input that is too long loses the end of its document; it is refused where nothing of the
        document would be left.
        """
        return self.cache.results(inputs, self._compute)

    def _compute(self, inputs: list[DocumentPrompt]) -> list[ModelScores]:
        results = [ModelScores(refused=TOO_LONG.format(self.longest)) for _ in inputs]
        encoded = self._encoded(inputs)
        fitting = [(index, *fitted) for index, fitted in enumerate(encoded) if fitted is not None]
        lengths = [len(tokens["input_ids"]) for _, tokens, _ in fitting]
        for batch in in_batches(lengths, budget=self.loaded.budget):
            rows, tops = self._probabilities([fitting[at][1] for at in batch])
            for at, row, top in zip(batch, rows, tops, strict=True):
                index, _, cut = fitting[at]
                best = self.ids.index(top) if top in self.ids else -1
                results[index] = ModelScores(tuple(row), lengths[at], cut, best)
        return results

    def _encoded(self, inputs: list[DocumentPrompt]) -> list[tuple[Encoded, int] | None]:
        """Each input as tokens, and how many were cut; None for one that is too long."""
        encoding = self.loaded.tokenizer(
            [prompt.text for prompt in inputs],
            truncation=False,
            return_offsets_mapping=True,
            verbose=False,
        )
        rows = zip(inputs, encoding["input_ids"], encoding["offset_mapping"], strict=True)
        return [self._fitted(*row) for row in rows]

    def _fitted(
        self, prompt: DocumentPrompt, ids: list[int], offsets: Sequence[tuple[int, int]]
    ) -> tuple[Encoded, int] | None:
        """The tokens without the excess at the end of the document, and how many these are; None
        where nothing of the document would be left."""
        too_many = max(0, len(ids) - self.longest)
        kept = ids
        if too_many:
            start = len(prompt.before)
            end = start + len(prompt.document)
            # A token belongs to the document where its last character does: some tokens begin with
            # the space before the word.
            document = [at for at, (_, last) in enumerate(offsets) if start < last <= end]
            if too_many >= len(document):
                return None
            dropped = set(document[-too_many:])
            kept = [token for at, token in enumerate(ids) if at not in dropped]
        return {"input_ids": kept, "attention_mask": [1] * len(kept)}, too_many

    def _probabilities(self, encoded: Sequence[Encoded]) -> tuple[list[list[float]], list[int]]:
        """For each input the probability of each word, and the most probable token of all."""
        import torch

        start = torch.full((len(encoded), 1), self.start, device=self.loaded.device)
        with self.loaded.computing():
            logits = self.loaded.model(
                **self.loaded.padded(encoded), decoder_input_ids=start
            ).logits[:, 0]
        # In double precision two words that are both improbable can still be compared.
        wide = logits.float().cpu().double()
        return wide.softmax(dim=-1)[:, self.ids].tolist(), wide.argmax(dim=-1).tolist()


def open_first_word(weights: Weights, words: tuple[str, ...], settings: ModelSettings) -> FirstWord:
    """The model of these weights, loaded once per process. UnusableModel where that fails."""

    def make() -> FirstWord:
        return FirstWord(load("AutoModelForSeq2SeqLM", weights, settings), words, settings)

    return open_once((NAME, weights, words, settings), make)


def check_words(weights: Weights, words: Sequence[str]) -> None:
    """UnusableModel where a word is not one token, or the tokenizer cannot be read, as far as this
    is known without loading the model."""
    check_tokenizer(weights)
    file = tokenizer_file(weights)
    if file is None:
        return
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(file))
    for word in words:
        _check_single(weights, word, tokenizer.encode(word, add_special_tokens=False).tokens)


def _only_token(loaded: LoadedModel, word: str) -> int:
    ids = loaded.tokenizer(word, add_special_tokens=False)["input_ids"]
    _check_single(loaded.weights, word, loaded.tokenizer.convert_ids_to_tokens(ids))
    if ids[0] == loaded.tokenizer.unk_token_id:
        raise UnusableModel(f"{loaded.weights.name} does not know the word {word!r}")
    token: int = ids[0]
    return token


def _check_single(weights: Weights, word: str, tokens: Sequence[str]) -> None:
    if len(tokens) != 1:
        read = " ".join(tokens) or "nothing"
        raise UnusableModel(f"{weights.name} has no single token for {word!r} (it reads {read})")
