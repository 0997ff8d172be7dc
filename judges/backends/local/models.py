"""Models that are kept loaded, a few per process, on the device and in the precision asked for."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from judges.backends.local.weights import Unfit, Weights, check_tokenizer

Device = Literal["auto", "cuda", "mps", "cpu"]
Dtype = Literal["auto", "float32", "bfloat16", "autocast"]
# The lists of one encoded input, by their names: input_ids, attention_mask, …
Encoded = Mapping[str, list[int]]
T = TypeVar("T")

MOST_OPEN = 2
# Results that a loaded model keeps, so that what comes again is not computed again.
REMEMBERED = 8192
# How many tokens a batch holds where nothing else is asked for. On a processor few: what a batch
# computes between two layers is then still near when it is needed.
BUDGETS = {"cpu": 1024, "mps": 8192, "cuda": 65_536}
# A tokenizer without a limit of its own says some astronomical number.
_NO_LIMIT = 100_000

_open: OrderedDict[Hashable, Any] = OrderedDict()
_lock = threading.Lock()


@dataclass(frozen=True)
class Setting:
    """How a model is to run.

    device: auto takes cuda, else mps, else cpu. dtype: auto is float32 on a processor and on
    mps, bfloat16 on cuda; autocast keeps the weights in float32 and computes in bfloat16.
    max_tokens: the longest input; None: as the model says. batch_tokens: what a padded batch
    holds at most; None: by device.
    """

    device: Device = "auto"
    dtype: Dtype = "auto"
    max_tokens: int | None = None
    batch_tokens: int | None = None


@dataclass(frozen=True)
class Loaded:
    """A model with its tokenizer, ready to be asked."""

    weights: Weights
    model: Any
    tokenizer: Any
    device: str
    dtype: str
    budget: int

    @contextmanager
    def computing(self) -> Iterator[None]:
        """Around a forward pass: no gradients, and bfloat16 where that was asked for."""
        import torch

        halved = torch.autocast(self.device, dtype=torch.bfloat16, enabled=self.dtype == "autocast")
        with torch.inference_mode(), halved:
            yield

    def padded(self, encoded: Sequence[Encoded]) -> dict[str, Any]:
        """A batch of encoded inputs as tensors on the model's device, filled up on the right."""
        import torch

        filling = {
            "input_ids": self.tokenizer.pad_token_id or 0,
            "attention_mask": 0,
            "token_type_ids": self.tokenizer.pad_token_type_id,
        }
        longest = max(len(one["input_ids"]) for one in encoded)
        return {
            name: torch.tensor(
                [one[name] + [filling[name]] * (longest - len(one[name])) for one in encoded]
            ).to(self.device)
            for name in encoded[0]
        }


def kept_open(key: Hashable, make: Callable[[], T]) -> T:
    """What was made under that key, or is made now; the one unused for longest is let go."""
    with _lock:
        if key not in _open:
            while len(_open) >= MOST_OPEN:
                _open.popitem(last=False)
            _open[key] = make()
        _open.move_to_end(key)
        found: T = _open[key]
        return found


def resolved(setting: Setting) -> tuple[str, str]:
    """The device and the precision that the setting comes to on this machine."""
    device = _device(setting.device)
    return device, _dtype(setting.dtype, device)


def load(kind: str, weights: Weights, setting: Setting) -> Loaded:
    """The model as transformers' class `kind` reads it; Unfit where it cannot be used."""
    import torch
    import transformers

    weights.check_unchanged()
    transformers.utils.logging.disable_progress_bar()
    device, dtype = resolved(setting)
    weighs = torch.bfloat16 if dtype == "bfloat16" else torch.float32
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(**weights.source)
        model, found = getattr(transformers, kind).from_pretrained(
            **weights.source, dtype=weighs, output_loading_info=True
        )
    except (OSError, ValueError, KeyError) as error:
        check_tokenizer(weights)
        raise Unfit(f"{weights.name} cannot be loaded: {error}") from error
    # Where a folder lacks weights, transformers draws them at random and only warns.
    missing = sorted(key for key in found["missing_keys"] if "pooler" not in key)
    if missing:
        raise Unfit(f"{weights.name} lacks weights that {kind} needs: {', '.join(missing[:3])}")
    if not tokenizer.is_fast:
        raise Unfit(f"{weights.name} has no fast tokenizer, which alone says what a cut leaves")
    budget = setting.batch_tokens or BUDGETS[device]
    return Loaded(weights, model.eval().to(device), tokenizer, device, dtype, budget)


def longest_input(
    loaded: Loaded, setting: Setting, *, trained: int | None = None, default: int | None = None
) -> int:
    """How many tokens an input may have: as asked for, else the least of what model and tokenizer
    say and what it was `trained` for, else `default`."""
    if setting.max_tokens is not None:
        return setting.max_tokens
    said = [
        getattr(loaded.model.config, "max_position_embeddings", None),
        getattr(loaded.model.config, "n_positions", None),
        loaded.tokenizer.model_max_length,
        trained,
    ]
    limits = [limit for limit in said if limit and limit < _NO_LIMIT]
    if not limits and default is not None:
        return default
    if not limits:
        raise Unfit(f"{loaded.weights.name} does not say how long an input may be: set max_tokens")
    return int(min(limits))


def _device(wanted: Device) -> str:
    import torch

    there = {
        "cuda": torch.cuda.is_available(),
        "mps": torch.backends.mps.is_available(),
        "cpu": True,
    }
    if wanted == "auto":
        return next(name for name, found in there.items() if found)
    if not there[wanted]:
        raise Unfit(f"device: this machine has no {wanted}")
    return wanted


def _dtype(wanted: Dtype, device: str) -> str:
    if wanted == "auto":
        return "bfloat16" if device == "cuda" else "float32"
    return wanted
