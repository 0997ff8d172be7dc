"""Pairs per second of a base-size encoder: ours, transformers' pipeline, and a CrossEncoder.

The model is a DeBERTa of the third generation's base size with random weights, which time like
trained ones; its tokenizer is trained on the very texts. The pairs are evidence passages with
sentences of explanations, each pair once: the published ones where they are at hand, else made up.
All contenders take turns on the same shares of the pairs in one process, so that whatever else
the machine does is alike for all of them.
"""

import gzip
import json
import os
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from bench.measure import Row, in_child, report

PAIRS = int(os.environ.get("NLI_PAIRS", "192"))
SHARE = 64  # pairs at a time
ONE_BY_ONE = 4  # the pipeline gets one pair in so many
DEVICE = os.environ.get("NLI_DEVICE", "cpu")
DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "transparent-fcexp"
LABELS = ("entailment", "neutral", "contradiction")
Pair = tuple[str, str]


def run() -> Iterator[Row]:
    """Speed beside both peers, on pairs of like and of mixed length, and in bfloat16."""
    try:
        import sentence_transformers  # noqa: F401 (only whether it is there)
    except ImportError:
        reason = "left out: the extra models is not installed (make install-models)"
        yield Row(what="nothing measured", ours=0, unit="pairs/s", note=reason)
        return
    like = in_child("bench.nli", "like", pairs=PAIRS).result
    mixed = in_child("bench.nli", "mixed", pairs=PAIRS // 2).result
    yield _row("beside a pipeline, one by one", like, "ours", "pipeline", 2.5)
    yield _row("beside a CrossEncoder", like, "ours", "cross_encoder", 1.05)
    yield _row("of mixed length, beside a CrossEncoder", mixed, "ours", "cross_encoder", 1.5)
    halved = _row("in bfloat16 (autocast), beside ours in float32", like, "autocast", "ours", 1.6)
    yield halved


def _row(what: str, result: dict[str, Any], ours: str, peer: str, bar: float) -> Row:
    speeds = result["speeds"]
    ratio = speeds[ours] / speeds[peer]
    note = (
        f"{result['pairs']} pairs of {result['tokens']:.0f} tokens on average (up to "
        f"{result['longest']}), {result['source']}, on {result['device']}; "
        f"load {result['load']:.1f}"
    )
    if ours == "autocast":
        note += (
            f"; {result['changed']} labels of {result['pairs']} change, no probability by more "
            f"than {result['moved']:.3f} (random weights: a trained model's labels lie further "
            "apart)"
        )
    return Row(
        what=f"pairs {what}",
        ours=speeds[ours],
        unit="pairs/s",
        peer=speeds[peer],
        ratio=ratio,
        bar=f">= {bar} x",
        met=ratio >= bar,
        note=note,
    )


# Below: what the child processes do.

Contender = Callable[[Sequence[Pair]], Any]


def _race(pairs: int, *, mixed: bool) -> Callable[[], dict[str, Any]]:
    texts, source = _material()
    chosen = _pairs(texts, pairs, mixed=mixed)
    folder = Path(tempfile.mkdtemp(prefix="nli-"))
    try:
        _make_model(folder, texts)
        ours, contenders = _contenders(folder, mixed=mixed)
    finally:
        shutil.rmtree(folder)
    lengths = [scored.tokens for scored in ours.scored(chosen[:1])]
    for name, contender in contenders.items():
        contender(chosen[-4 if name != "pipeline" else -1 :])

    def work() -> dict[str, Any]:
        seconds = dict.fromkeys(contenders, 0.0)
        done = dict.fromkeys(contenders, 0)
        scores: dict[str, list[Any]] = {name: [] for name in contenders}
        for start in range(0, len(chosen), SHARE):
            share = chosen[start : start + SHARE]
            for name, contender in contenders.items():
                batch = share[::ONE_BY_ONE] if name == "pipeline" else share
                started = time.perf_counter()
                scores[name].extend(contender(batch))
                seconds[name] += time.perf_counter() - started
                done[name] += len(batch)
        lengths[:] = [scored.tokens for scored in scores["ours"]]
        return {
            "speeds": {name: done[name] / seconds[name] for name in contenders},
            "pairs": len(chosen),
            "tokens": sum(lengths) / len(lengths),
            "longest": max(lengths),
            "source": source,
            "device": ours.loaded.device,
            "load": os.getloadavg()[0],
            **_differences(scores),
        }

    return work


def _differences(scores: dict[str, list[Any]]) -> dict[str, Any]:
    """How many labels bfloat16 changes, and by how much a probability moves at most."""
    pairs = list(zip(scores["ours"], scores.get("autocast", []), strict=False))
    return {
        "changed": sum(exact.top != mixed.top for exact, mixed in pairs),
        "moved": max(
            (
                abs(a - b)
                for exact, mixed in pairs
                for a, b in zip(exact.values, mixed.values, strict=True)
            ),
            default=0.0,
        ),
    }


def _contenders(folder: Path, *, mixed: bool) -> tuple[Any, dict[str, Contender]]:
    from sentence_transformers import CrossEncoder
    from transformers import pipeline

    from judges.backends.classification import Classifier
    from judges.backends.local.models import ModelSettings, load
    from judges.backends.local.weights import pinned

    weights = pinned(str(folder))

    def opened(**setting: Any) -> Classifier:
        setting = {"device": DEVICE, **setting}
        loaded = load("AutoModelForSequenceClassification", weights, ModelSettings(**setting))
        return Classifier(loaded, ModelSettings(**setting))

    ours = opened(dtype="float32")
    cross = CrossEncoder(str(folder), device=DEVICE)

    def crossed(pairs: Sequence[Pair]) -> Any:
        return cross.predict(list(pairs), batch_size=32, show_progress_bar=False)

    contenders: dict[str, Contender] = {"ours": _fresh(ours), "cross_encoder": crossed}
    if not mixed:
        single = pipeline("text-classification", model=str(folder), device=DEVICE, top_k=None)
        contenders["pipeline"] = lambda pairs: [
            single({"text": first, "text_pair": second}) for first, second in pairs
        ]
        contenders["autocast"] = _fresh(opened(dtype="autocast"))
    return ours, contenders


def _fresh(classifier: Any) -> Contender:
    """Without what was computed before: every pair is to be computed."""

    def scored(pairs: Sequence[Pair]) -> Any:
        classifier.cache.kept.clear()
        return classifier.scored(pairs)

    return scored


def _make_model(folder: Path, texts: Sequence[str]) -> None:
    """A model of the size of DeBERTa-v3 base, but for the vocabulary, which costs no time."""
    import torch
    from tokenizers import Tokenizer, pre_tokenizers, processors, trainers
    from tokenizers.models import WordPiece
    from transformers import (
        DebertaV2Config,
        DebertaV2ForSequenceClassification,
        PreTrainedTokenizerFast,
        logging,
    )

    logging.disable_progress_bar()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    words = Tokenizer(WordPiece(unk_token="[UNK]"))
    words.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trainer = trainers.WordPieceTrainer(
        vocab_size=20_000, special_tokens=special, show_progress=False
    )
    words.train_from_iterator(texts, trainer)
    words.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    names = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]"}
    names |= {"sep_token": "[SEP]", "mask_token": "[MASK]"}
    fast = PreTrainedTokenizerFast(tokenizer_object=words, model_max_length=512, **names)
    torch.manual_seed(0)
    config = DebertaV2Config(
        vocab_size=len(fast),
        hidden_size=768,
        num_hidden_layers=12,
        num_attention_heads=12,
        intermediate_size=3072,
        max_position_embeddings=512,
        relative_attention=True,
        position_buckets=256,
        norm_rel_ebd="layer_norm",
        share_att_key=True,
        pos_att_type=["p2c", "c2p"],
        position_biased_input=False,
        type_vocab_size=0,
        id2label=dict(enumerate(LABELS)),
        label2id={label: at for at, label in enumerate(LABELS)},
    )
    DebertaV2ForSequenceClassification(config).save_pretrained(folder)
    fast.save_pretrained(folder)


def _material() -> tuple[list[str], str]:
    """Passages and sentences in turn, and where they are from."""
    file = DATA / "gpt4_full_data.json.gz"
    if not file.is_file():
        return _made_up(), "made up"
    with gzip.open(file, "rt", encoding="utf-8") as opened:
        records = json.load(opened).values()
    texts = []
    for record in records:
        passages = [line.split(": ", 1)[-1] for line in record["passage"].split("\n")]
        (sentences,) = record["explanation"].values()
        texts += [text for both in zip(passages, sentences, strict=False) for text in both]
    return texts, "of published explanations"


def _made_up() -> list[str]:
    rng = random.Random(0)
    words = ["".join(rng.choices("abcdefghijklmnop", k=rng.randint(2, 9))) for _ in range(3000)]
    return [" ".join(rng.choices(words, k=rng.randint(8, 45))) + "." for _ in range(4000)]


def _pairs(texts: Sequence[str], count: int, *, mixed: bool) -> list[Pair]:
    """Unique pairs drawn by seed; of mixed length: the evidence is one to twelve passages."""
    rng = random.Random(1)
    passages, sentences = texts[::2], texts[1::2]
    pairs: dict[Pair, None] = {}
    while len(pairs) < count:
        at = rng.randrange(len(passages) - 12)
        several = rng.choice((1, 1, 1, 2, 4, 12)) if mixed else 1
        pairs[" ".join(passages[at : at + several]), sentences[at]] = None
    return list(pairs)


def _like(pairs: int) -> Callable[[], dict[str, Any]]:
    return _race(pairs, mixed=False)


def _mixed(pairs: int) -> Callable[[], dict[str, Any]]:
    return _race(pairs, mixed=True)


if __name__ == "__main__":
    report(_like if sys.argv[1] == "like" else _mixed, sys.argv[2:])
