"""Fetch a dataset of the hub into a folder: its conversion to Parquet where the hub has one of the
revision, else the files that its author has put there, as of one commit."""

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote

from django.conf import settings

from files.errors import MISSHAPEN, ImportFailure, misshapen
from files.readers.streams import Watch, unwatched
from imports.formats.contract import Format
from imports.formats.hub.dataset_cards import CARD, ROWS, card_header, default_configuration
from set_up.imports.hub.addresses import DatasetAddress, hub_root, viewer_root
from set_up.imports.hub.connection import HubConnection, too_large
from set_up.imports.hub.refusals import VARIABLE
from set_up.imports.hub.tables import (
    DatasetChoice,
    HubFile,
    HubTables,
    converted_tables,
    own_tables,
    published_files,
)

# A disk that is full takes no answers, either.
_LEFT_FREE = 256 * 2**20
_LONGEST_NAME = 200


@dataclass(frozen=True)
class HubDataset:
    """What was fetched. files: the card first, where there is one. origin: the dataset with the
    commits that were read, as it stays with the study."""

    folder: Path
    files: Sequence[Path]
    config: str
    origin: Mapping[str, Any] = field(default_factory=dict)

    def shown(self, text: str) -> str:
        """The text with the names of files alone, where they lie in a folder for a while."""
        return text.replace(f"{self.folder}/", "") if self.origin else text


def reads_hub(kind: type[Format]) -> bool:
    """Whether a format is read from the hub: those of tables that may be Parquet."""
    return ROWS[0] in kind.taken.suffixes


def token_of_environment() -> str:
    """The token of the hub; empty where the environment has none."""
    return os.environ.get(VARIABLE, "").strip()


def fetch_dataset(
    *,
    address: DatasetAddress,
    folder: Path,
    kind: type[Format],
    config: str = "",
    split: str = "",
    token: str = "",
    watch: Watch = unwatched,
    begun: Callable[[int], object] = unwatched,
) -> HubDataset:
    """Fetch the files of one configuration and split. ImportFailure where the hub does not hand
    them out. begun: is told how many bytes are fetched; watch: of those that arrive."""
    try:
        connection = HubConnection(address, token=token, watch=watch)
        return _Fetch(connection, folder, begun).dataset(kind, config, split)
    except MISSHAPEN as error:
        raise misshapen(str(address), error) from error


class _Fetch:
    """One dataset as of one commit."""

    def __init__(
        self, connection: HubConnection, folder: Path, begun: Callable[[int], object]
    ) -> None:
        self._connection, self._folder, self._begun = connection, folder, begun
        self._address, self._left = connection.address, int(settings.HUB_MIB) * 2**20
        about = f"{hub_root()}/api/datasets/{self._address.name}"
        revision = f"{about}/revision/{self._address.quoted_revision}?blobs=true"
        _headers, info = connection.json(revision)
        if not isinstance(info, Mapping) or not isinstance(info.get("sha"), str):
            raise ImportFailure(str(self._address), "hub", "it answered without a commit")
        self._commit = str(info["sha"])
        siblings = info.get("siblings") or ()
        self._listed = [HubFile.of(self._address, self._commit, file) for file in siblings]

    def dataset(self, kind: type[Format], config: str, split: str) -> HubDataset:
        """The dataset in the folder."""
        card = self._card()
        header = card_header(card) if card is not None else {}
        published = published_files(self._listed) if not (config or split) else ()
        if published:
            choice, is_converted = DatasetChoice("", (), published), False
        else:
            choice, is_converted = self._chosen(header, config, split)
        self._check_room(choice)
        paths, commits = [], set()
        for file in choice.files:
            path = self._folder / _name_of(file, alone=bool(published))
            commits.add(self._download(file, path))
            paths.append(path)
        if is_converted and len(commits) > 1:
            reason = "it was converted anew while it was read: start again"
            raise ImportFailure(str(self._address), "hub", reason)
        origin = self._origin(choice)
        if is_converted:
            origin["converted_commit"] = next(iter(commits), "")
        takes_card = card is not None and card.suffix in kind.taken.suffixes
        files = [card, *paths] if card is not None and takes_card else paths
        return HubDataset(self._folder, files, choice.config, origin)

    def _chosen(
        self, header: Mapping[str, Any], config: str, split: str
    ) -> tuple[DatasetChoice, bool]:
        """What is read, and whether it is the hub's conversion. A configuration or split that it
        does not have may be among the author's own files."""
        converted = self._converted(default_configuration(header))
        own = own_tables(self._listed, header)
        refusal: ImportFailure | None = None
        for tables in filter(None, (converted, own)):
            try:
                return tables.chosen(self._address, config, split), tables is converted
            except ImportFailure as failure:
                refusal = refusal or failure
        reason = "no Parquet, JSON or CSV there, and the hub has not converted it"
        raise refusal or ImportFailure(str(self._address), "files", reason)

    def _converted(self, default: str) -> HubTables | None:
        """The hub's conversion, where it is of this commit."""
        url = f"{viewer_root()}/parquet?dataset={quote(self._address.name, safe='')}"
        try:
            headers, listing = self._connection.json(url, tries=1)
        except ImportFailure:
            return None
        is_of_it = headers.get("x-revision") == self._commit
        return converted_tables(listing, default) if is_of_it else None

    def _card(self) -> Path | None:
        card = next((file for file in self._listed if file.path == CARD), None)
        if card is None:
            return None
        self._download(card, self._folder / CARD)
        return self._folder / CARD

    def _download(self, file: HubFile, path: Path) -> str:
        """Write a file; the commit that it is of."""
        headers = self._connection.download(file.url, path, size=file.size, most=self._left)
        self._left -= path.stat().st_size
        return str(headers.get("x-repo-commit", ""))

    def _check_room(self, choice: DatasetChoice) -> None:
        size = sum(file.size or 0 for file in choice.files)
        if size > self._left:
            raise ImportFailure(str(self._address), "size", too_large(self._left))
        if shutil.disk_usage(self._folder).free < size + _LEFT_FREE:
            raise ImportFailure(str(self._address), "size", "there is no room for it on the disk")
        self._begun(size)

    def _origin(self, choice: DatasetChoice) -> dict[str, Any]:
        origin: dict[str, Any] = {
            "dataset": str(DatasetAddress(self._address.name)),
            "revision": self._address.revision or "main",
            "commit": self._commit,
        }
        if choice.config:
            origin |= {"config": choice.config, "splits": list(choice.splits)}
        return origin


def _name_of(file: HubFile, *, alone: bool) -> str:
    """A name in one folder: the whole path, or its end alone."""
    name = PurePosixPath(file.path).name if alone else file.path.replace("/", "-")
    return name[-_LONGEST_NAME:]
