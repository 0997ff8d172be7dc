"""Load models and keep a few per process loaded, on the device and in the precision chosen."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from judges.backends.local.weights import UnusableModel, Weights, check_tokenizer

Device = Literal["auto", "cuda", "mps", "cpu"]
Dtype = Literal["auto", "float32", "bfloat16", "autocast"]
# The lists of one encoded input, by their names: input_ids, attention_mask, …
Encoded = Mapping[str, list[int]]
T = TypeVar("T")

MOST_OPEN = 2
# How many results a loaded model keeps.
MOST_RESULTS = 8192
# How many tokens a batch holds by default. On a CPU few, so that the activations between two
# layers stay in its cache.
BUDGETS = {"cpu": 1024, "mps": 8192, "cuda": 65_536}
# A tokenizer without a limit of its own states some astronomical number.
_NO_LIMIT = 100_000

_open: OrderedDict[Hashable, Any] = OrderedDict()
_lock = threading.Lock()


@dataclass(frozen=True)
class ModelSettings:
    """How a model is to run.

    device: auto takes cuda, else mps, else cpu. dtype: auto is bfloat16 on cuda, else float32;
    autocast keeps the weights in float32 and computes in bfloat16. max_tokens: the longest input;
    None: the model's own limit. batch_tokens: the most that a padded batch holds; None: by device.
    """

    device: Device = "auto"
    dtype: Dtype = "auto"
    max_tokens: int | None = None
    batch_tokens: int | None = None


@dataclass(frozen=True)
class LoadedModel:
    """A model with its tokenizer, ready to use."""

    weights: Weights
    model: Any
    tokenizer: Any
    device: str
    dtype: str
    budget: int

    @contextmanager
    def computing(self) -> Iterator[None]:
        """The context of a forward pass: no gradients, and bfloat16 where that was chosen."""
        import torch

        autocast = torch.autocast(
            self.device, dtype=torch.bfloat16, enabled=self.dtype == "autocast"
        )
        with torch.inference_mode(), autocast:
            yield

    def padded(self, encoded: Sequence[Encoded]) -> dict[str, Any]:
        """A batch of encoded inputs as tensors on the model's device, padded on the right."""
        import torch

        padding = {
            "input_ids": self.tokenizer.pad_token_id or 0,
            "attention_mask": 0,
            "token_type_ids": self.tokenizer.pad_token_type_id,
        }
        longest = max(len(tokens["input_ids"]) for tokens in encoded)
        return {
            name: torch.tensor(
                [
                    tokens[name] + [padding[name]] * (longest - len(tokens[name]))
                    for tokens in encoded
                ]
            ).to(self.device)
            for name in encoded[0]
        }


def open_once(key: Hashable, make: Callable[[], T]) -> T:
    """What is open under that key, made where it is not; the least recently used is dropped."""
    with _lock:
        if key not in _open:
            while len(_open) >= MOST_OPEN:
                _open.popitem(last=False)
            _open[key] = make()
        _open.move_to_end(key)
        opened: T = _open[key]
        return opened


def resolve_device(settings: ModelSettings) -> tuple[str, str]:
    """The device and the precision that the settings mean on this machine."""
    device = _device(settings.device)
    return device, _dtype(settings.dtype, device)


def load(kind: str, weights: Weights, settings: ModelSettings) -> LoadedModel:
    """The model, loaded by transformers' class `kind`; UnusableModel where it cannot be used."""
    import torch
    import transformers

    weights.check_unchanged()
    transformers.utils.logging.disable_progress_bar()
    device, dtype = resolve_device(settings)
    torch_dtype = torch.bfloat16 if dtype == "bfloat16" else torch.float32
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(**weights.source)
        model, loading_info = getattr(transformers, kind).from_pretrained(
            **weights.source, dtype=torch_dtype, output_loading_info=True
        )
    except (OSError, ValueError, KeyError) as error:
        check_tokenizer(weights)
        raise UnusableModel(f"{weights.name} cannot be loaded: {error}") from error
    # Where a folder lacks weights, transformers draws them at random and only warns.
    missing = sorted(key for key in loading_info["missing_keys"] if "pooler" not in key)
    if missing:
        raise UnusableModel(
            f"{weights.name} lacks weights that {kind} needs: {', '.join(missing[:3])}"
        )
    if not tokenizer.is_fast:
        raise UnusableModel(f"{weights.name} has no fast tokenizer, which is needed to cut texts")
    budget = settings.batch_tokens or BUDGETS[device]
    return LoadedModel(weights, model.eval().to(device), tokenizer, device, dtype, budget)


def longest_input(
    loaded: LoadedModel,
    settings: ModelSettings,
    *,
    trained: int | None = None,
    default: int | None = None,
) -> int:
    """How many tokens an input may have: as set, else the smallest of the limits of the model, the
    tokenizer and the training (`trained`), else `default`."""
    if settings.max_tokens is not None:
        return settings.max_tokens
    stated = [
        getattr(loaded.model.config, "max_position_embeddings", None),
        getattr(loaded.model.config, "n_positions", None),
        loaded.tokenizer.model_max_length,
        trained,
    ]
    limits = [limit for limit in stated if limit and limit < _NO_LIMIT]
    if not limits and default is not None:
        return default
    if not limits:
        raise UnusableModel(
            f"{loaded.weights.name} does not say how long an input may be: set max_tokens"
        )
    return int(min(limits))


def _device(wanted: Device) -> str:
    import torch

    available = {
        "cuda": torch.cuda.is_available(),
        "mps": torch.backends.mps.is_available(),
        "cpu": True,
    }
    if wanted == "auto":
        return next(name for name, is_there in available.items() if is_there)
    if not available[wanted]:
        raise UnusableModel(f"device: this machine has no {wanted}")
    return wanted


def _dtype(wanted: Dtype, device: str) -> str:
    if wanted == "auto":
        return "bfloat16" if device == "cuda" else "float32"
    return wanted
