"""The two kinds of background work of a study: to work something out of its answers, which changes
nothing and is kept, and to do something with what was worked out, which is done once."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from annotation.models import Study
from desk.models import BackgroundJob

Parameters = Mapping[str, Any]
Outcome = dict[str, Any]


class Refused(Exception):
    """Nothing was done; the text says why, in a sentence for the researcher."""


def _keep_nothing(_study: Study, _parameters: Parameters, _outcome: Outcome, _at: int) -> None:
    return None


def _nothing(_parameters: Parameters) -> Parameters:
    return {}


def _no_words(_parameters: Parameters) -> str:
    return ""


@dataclass(frozen=True, kw_only=True)
class Computation:
    """What is worked out of the answers as of one revision: the same parameters give the same.

    title, about: what is worked out, and by which parameters, in words. asked_on: the view on whose
    page it is asked for. page: the address that shows the outcome. compute: gives plain JSON; it
    takes long, so that it runs in no transaction. keep: stores a part of the outcome elsewhere, in
    the transaction in which the job ends; its last argument is the revision.
    """

    name: str
    title: str
    asked_on: str
    page: Callable[[Study, Parameters], str]
    compute: Callable[[Study, Parameters], Outcome]
    keep: Callable[[Study, Parameters, Outcome, int], None] = _keep_nothing
    about: Callable[[Parameters], str] = _no_words


@dataclass(frozen=True, kw_only=True)
class Act:
    """What is done with an outcome, in one transaction with the end of the job: once or not at all.

    title, about, asked_on, page: as of a computation. basis: what it rests on, which is worked out
    where it is not kept as of the present revision; None: nothing. basis_of: the parameters of
    that. do: says in a sentence what was done; Refused where it is not to be.
    """

    name: str
    title: str
    asked_on: str
    page: Callable[[Study, Parameters], str]
    do: Callable[[BackgroundJob, Outcome], str]
    basis: Computation | None = None
    basis_of: Callable[[Parameters], Parameters] = _nothing
    about: Callable[[Parameters], str] = _no_words


Kind = Computation | Act


def digest_of(kind: Kind, parameters: Parameters) -> str:
    """The same for the same request."""
    text = json.dumps([kind.name, dict(parameters)], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()
