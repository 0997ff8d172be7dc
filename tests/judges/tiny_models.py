"""Tiny models with random weights, and tokenizers trained on the spot: for tests without a hub."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed (the extra models)")
pytest.importorskip("transformers", reason="transformers is not installed (the extra models)")

import torch
import transformers
from tokenizers import Tokenizer, decoders, pre_tokenizers, processors, trainers
from tokenizers.models import Unigram, WordPiece
from transformers import (
    BertConfig,
    BertModel,
    DebertaV2Config,
    DebertaV2ForSequenceClassification,
    PreTrainedTokenizerFast,
    T5Config,
    T5ForConditionalGeneration,
)

LABELS = ("contradiction", "neutral", "entailment")
TEXTS = (
    "The bridge was closed last year, and traffic crossed the river elsewhere.",
    "Taxes rose in May; prices fell in June, said the mayor of the town.",
    "question: Is this claim consistent with the document? claim: document: Yes No",
    "premise: A number of people were counted at the station. hypothesis: Nobody was there. 1 0",
)


def classifier(
    folder: Path, *, labels: Sequence[str] = LABELS, longest: int = 64, seed: int = 0
) -> Path:
    """A DeBERTa of the second generation with two layers, saved; its labels as named."""
    torch.manual_seed(seed)
    words = _word_pieces(longest)
    config = DebertaV2Config(
        vocab_size=len(words),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=longest,
        relative_attention=True,
        pos_att_type=["c2p", "p2c"],
        position_buckets=16,
        type_vocab_size=0,
        id2label=dict(enumerate(labels)),
        label2id={label: at for at, label in enumerate(labels)},
        initializer_range=0.5,
    )
    DebertaV2ForSequenceClassification(config).save_pretrained(folder)
    words.save_pretrained(folder)
    return folder


def encoder(folder: Path, *, longest: int = 64) -> Path:
    """A BERT with two layers, saved."""
    torch.manual_seed(0)
    words = _word_pieces(longest)
    config = BertConfig(
        vocab_size=len(words),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=longest,
        initializer_range=0.5,
    )
    BertModel(config).save_pretrained(folder)
    words.save_pretrained(folder)
    return folder


def sequence_model(folder: Path, *, whole: Sequence[str] = ("Yes", "No", "1", "0")) -> Path:
    """A T5 with two layers, saved; `whole` are words that its vocabulary holds as one token."""
    torch.manual_seed(0)
    words = _sentence_pieces(whole)
    config = T5Config(
        vocab_size=len(words),
        d_model=32,
        d_kv=16,
        d_ff=64,
        num_layers=2,
        num_heads=2,
        decoder_start_token_id=0,
        initializer_factor=1.0,
    )
    T5ForConditionalGeneration(config).save_pretrained(folder)
    words.save_pretrained(folder)
    return folder


def _word_pieces(longest: int) -> PreTrainedTokenizerFast:
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    words = Tokenizer(WordPiece(unk_token="[UNK]"))
    words.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    words.decoder = decoders.WordPiece()
    words.train_from_iterator(
        TEXTS, trainers.WordPieceTrainer(vocab_size=300, special_tokens=special)
    )
    words.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=words,
        model_max_length=longest,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
    )


def _sentence_pieces(whole: Sequence[str]) -> PreTrainedTokenizerFast:
    special = ["<pad>", "</s>", "<unk>"]
    words = Tokenizer(Unigram())
    words.pre_tokenizer = pre_tokenizers.Metaspace()
    words.decoder = decoders.Metaspace()
    words.train_from_iterator(
        TEXTS,
        trainers.UnigramTrainer(vocab_size=120, special_tokens=special, unk_token="<unk>"),
    )
    words.add_tokens(list(whole))
    words.post_processor = processors.TemplateProcessing(
        single="$A </s>", pair="$A </s> $B </s>", special_tokens=[("</s>", 1)]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=words,
        model_max_length=512,
        pad_token="<pad>",
        eos_token="</s>",
        unk_token="<unk>",
    )


@cache
def plain(folder: Path, kind: str) -> tuple[Any, Any]:
    """Tokenizer and model of a folder as transformers alone loads them."""
    words = transformers.AutoTokenizer.from_pretrained(folder)
    return words, getattr(transformers, kind).from_pretrained(folder)
