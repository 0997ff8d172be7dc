"""The arguments of commands that have a chat model write something, and what they print."""

from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from pydantic import ValidationError

from files.errors import ImportFailure
from judges.backends.contract import Unusable
from judges.backends.factory import CHAT
from judges.backends.scripted import NAME as SCRIPTED
from judges.runs.plans.amounts import in_usd, positive, usd
from judges.runs.plans.forecast import Forecast


def add_model_options(parser: ArgumentParser, *, things: str, max_tokens: int) -> None:
    """Which model to ask, how, for how many of the things, and at what cost."""
    parser.add_argument("--model", default="", help="the model to ask")
    parser.add_argument("--endpoint", default="default", help="the endpoint to ask")
    parser.add_argument("--replies", default="", metavar="FILE", help="replay recorded replies")
    parser.add_argument(
        "--system-message", type=Path, metavar="FILE", help="a system message of your own"
    )
    parser.add_argument(
        "--template",
        action="append",
        default=[],
        metavar="[STEP=]FILE",
        help="a prompt of your own; of a step by its name; repeatable",
    )
    parser.add_argument(
        "--temperature", type=float, default=0.0, metavar="T", help="of the model's replies"
    )
    parser.add_argument("--max-tokens", type=positive, default=max_tokens, metavar="N")
    parser.add_argument("--limit", type=positive, metavar="N", help=f"only the first N {things}")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of every random choice")
    parser.add_argument(
        "--max-cost", type=usd, metavar="USD", help="do not start, and stop, above this cost"
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="only print the calls, tokens and cost"
    )


def model_parameters(options: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of a generator, with the texts of the files that the options name."""
    names = ("endpoint", "replies", "temperature", "max_tokens")
    return {name: options[name] for name in names} | _own_texts(options)


def _own_texts(options: Mapping[str, Any]) -> dict[str, Any]:
    texts: dict[str, Any] = {}
    if options["system_message"]:
        texts["system"] = options["system_message"].read_text(encoding="utf-8")
    for value in options["template"]:
        step, equals, file = value.partition("=")
        text = Path(file if equals else value).read_text(encoding="utf-8")
        if equals and not isinstance(texts.get("template", {}), str):
            texts["template"] = {**texts.get("template", {}), step: text}
        elif equals or "template" in texts:
            raise ValueError("template: give one text, or one for each step by its name")
        else:
            texts["template"] = text
    return texts


def backend_of(options: Mapping[str, Any]) -> str:
    """The backend to ask: recorded replies where there is a file of them."""
    return SCRIPTED if options["replies"] else CHAT


@contextmanager
def failing_plainly() -> Iterator[None]:
    """Turn what can go wrong into an error of one line."""
    try:
        yield
    except ValidationError as error:
        first = error.errors()[0]
        raise CommandError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from error
    except (ValueError, OSError, Unusable, ImportFailure) as error:
        raise CommandError(str(error)) from error


def forecast_in_words(name: str, expected: Forecast, *, things: str) -> str:
    """What is going to be asked, and what it costs."""
    cost = "unknown" if expected.usd is None else in_usd(expected.usd)
    return (
        f"{name}: {expected.answers:,} {things}, {expected.calls:,} calls, tokens "
        f"{expected.tokens_in:,} in, {expected.tokens_out:,} out, cost {cost}"
    )
