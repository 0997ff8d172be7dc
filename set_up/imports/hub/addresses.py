"""Addresses of datasets on the Hugging Face Hub, as its own tools write them."""

import re
from dataclasses import dataclass
from urllib.parse import quote, unquote, urlsplit

from django.conf import settings

from files.errors import ImportFailure

SCHEME = "hf://"
_PART = r"[A-Za-z0-9][A-Za-z0-9._-]{0,95}"
# The branches whose names hold a slash are those of pull requests and of conversions. Git knows no
# name with two dots in a row, and in an address they would lead to another page.
_ADDRESS = re.compile(
    rf"hf://datasets/(?P<name>{_PART}(?:/{_PART})?)(?:@(?P<revision>(?!\.)(?!.*\.\.)[^@\s]+?))?/?"
)
_LONGEST = 300
_FORM = "hf://datasets/OWNER/NAME, or hf://datasets/OWNER/NAME@REVISION"


@dataclass(frozen=True)
class DatasetAddress:
    """A dataset. revision: a branch, a tag or a commit; empty: the newest of the main branch."""

    name: str
    revision: str = ""

    def __str__(self) -> str:
        return f"{SCHEME}datasets/{self.name}" + (f"@{self.revision}" if self.revision else "")

    @property
    def quoted_revision(self) -> str:
        """The revision as one part of a path."""
        return quote(self.revision or "main", safe="")


def is_address(text: str) -> bool:
    """Whether a text means a dataset on the hub, and no file."""
    return text.startswith((SCHEME, f"{hub_root()}/datasets/"))


def dataset_address(text: str) -> DatasetAddress:
    """The dataset of an address, or of that of its page; ImportFailure where it names none."""
    text = text.strip()
    matched = _ADDRESS.fullmatch(_of_page(text)) if len(text) <= _LONGEST else None
    if matched is None:
        raise ImportFailure(text[:_LONGEST], "address", f"no dataset on the hub: write {_FORM}")
    return DatasetAddress(matched["name"], matched["revision"] or "")


def hub_root() -> str:
    """The address of the hub, or of a mirror of it, without a slash at the end."""
    return str(settings.HF_ENDPOINT).rstrip("/")


def viewer_root() -> str:
    """The address of the service that converts datasets to Parquet, where the hub's tools expect
    it."""
    return hub_root().replace("://", "://datasets-server.", 1)


def _of_page(text: str) -> str:
    """`hf://…` of the address of a dataset's page; any other text as it is."""
    if not text.startswith(f"{hub_root()}/datasets/"):
        return text
    parts = [unquote(part) for part in urlsplit(text).path.strip("/").split("/")]
    name, _, revision = "/".join(parts[1:]).partition("/tree/")
    return f"{SCHEME}datasets/{name.strip('/')}" + (f"@{revision}" if revision else "")
