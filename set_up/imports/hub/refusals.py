"""What the hub answers in place of a dataset, in plain sentences."""

import re
from collections.abc import Mapping

from files.errors import ImportFailure
from set_up.imports.hub.addresses import DatasetAddress

# The variable of the environment with a token of the hub.
VARIABLE = "HF_TOKEN"
# Seconds that are waited where the hub asks for it.
LONGEST_WAIT = 60
_AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})
# Why a dataset cannot be read, by the hub's code: without a token, and with one.
_CLOSED = {
    "GatedRepo": (
        f"gated: ask for access on its page, and set {VARIABLE} in the environment",
        f"gated: the account of {VARIABLE} has no access; ask for it on its page",
    ),
    "RepoNotFound": (
        f"there is none of this name, or it is private and needs {VARIABLE}",
        f"there is none of this name that the account of {VARIABLE} may read",
    ),
}
_RESET = re.compile(r";\s*t=(\d{1,6})")


class Later(Exception):
    """What another try may answer otherwise; wait: seconds, where the hub says how many."""

    def __init__(self, reason: str, wait: float | None = None) -> None:
        super().__init__(reason if wait is None else f"{reason}: try again in {wait:.0f} seconds")
        self.wait = wait


def check_answer(
    address: DatasetAddress, status: int, headers: Mapping[str, str], *, has_token: bool
) -> None:
    """ImportFailure, or Later, unless the status is one of success. headers: by names in small
    letters."""
    if 200 <= status < 300:
        return
    if status in _AGAIN:
        busy = "it answers too many requests (429)"
        raise Later(busy if status == 429 else f"it answered {status}", _wait(headers))
    code, field, reason = headers.get("x-error-code", ""), "dataset", f"the hub answered {status}"
    if "invalid credentials" in headers.get("x-error-message", "").lower():
        field, reason = VARIABLE, "the hub does not accept this token"
    elif code == "RevisionNotFound":
        field, reason = "revision", f"there is no {address.revision or 'main'}"
    elif code == "EntryNotFound":
        field, reason = "file", "no longer there: start again"
    elif code in _CLOSED or status in (401, 403, 404):
        reason = _CLOSED.get(code, _CLOSED["RepoNotFound"])[has_token]
    raise ImportFailure(str(address), field, reason)


def _wait(headers: Mapping[str, str]) -> float | None:
    """Seconds, by `Retry-After` or the hub's `RateLimit`."""
    after = headers.get("retry-after", "").strip()
    if after.isdecimal():
        return float(after[:6])
    reset = _RESET.search(headers.get("ratelimit", ""))
    return float(reset[1]) if reset else None
