"""Datasets of the hub: what is read of them, what stays with the study, and every refusal."""

import errno
import io
import json
import logging
import os
from io import FileIO
from pathlib import Path
from typing import Any

import httpx2
import polars
import pytest
from django.core.management import CommandError, call_command

from annotation.models import Annotation, Change, Study
from imports.formats.hub.huggingface import HuggingFace
from retrieval.connections import LinkRefused
from set_up.imports.hub import connection
from set_up.imports.hub.addresses import DatasetAddress
from set_up.imports.hub.downloads import fetch_dataset
from tests.set_up.imports.hub.datasets import ADDRESS, FOLDER, NAME, OWN, ROWS
from tests.set_up.imports.hub.fake_hub import (
    CONVERSION,
    HOST,
    LARGE,
    MAIN,
    OLDER,
    STORAGE,
    TOKEN,
    FakeHub,
    Fault,
    Repository,
)

pytestmark = pytest.mark.django_db


def table(*rows: dict[str, Any]) -> bytes:
    buffer = io.BytesIO()
    polars.DataFrame(list(rows)).write_parquet(buffer)
    return buffer.getvalue()


def take(address: str = ADDRESS, format_name: str = "huggingface", **options: Any) -> Study:
    call_command("import_study", format_name, address, slug="s", verbosity=0, **options)
    return Study.objects.get(slug="s")


def refusal(address: str = ADDRESS, **options: Any) -> str:
    with pytest.raises(CommandError) as caught:
        take(address, **options)
    assert not Study.objects.exists()
    return str(caught.value)


def test_the_conversion_of_the_newest_commit_is_read_and_recorded(hub: FakeHub) -> None:
    hub.repositories[NAME] = Repository({MAIN: OWN}, {("default", "train"): [ROWS]})
    study = take()
    assert study.units.count() == 4
    assert Annotation.objects.filter(rater__name="labels").exists()
    assert study.imported["origin"] == {
        "dataset": ADDRESS,
        "revision": "main",
        "commit": MAIN,
        "config": "default",
        "splits": ["train"],
        "converted_commit": CONVERSION,
    }
    names = [file["name"] for file in study.imported["files"]]
    assert names == ["README.md", "default-train-0000.parquet"]
    assert "/tmp" not in str(study.imported)
    assert Change.objects.get(action="study.imported").detail["files"] == [ADDRESS]


def test_a_dataset_of_the_hub_makes_the_study_of_its_folder(hub: FakeHub) -> None:
    hub.repositories[NAME] = Repository({MAIN: OWN}, {("default", "train"): [ROWS]})
    counts = take().imported["counts"]
    call_command("import_study", "huggingface", str(FOLDER), slug="folder", verbosity=0)
    assert counts == Study.objects.get(slug="folder").imported["counts"]


def test_an_older_revision_is_read_as_its_author_put_it_there(hub: FakeHub) -> None:
    older = {"test.parquet": table({"text": "It sails."})}
    hub.repositories[NAME] = Repository({MAIN: OWN, OLDER: older}, {("default", "train"): [ROWS]})
    study = take(f"{ADDRESS}@{OLDER}")
    assert study.items.get().sentences[0]["text"] == "It sails."
    origin = study.imported["origin"]
    assert (origin["commit"], origin["splits"]) == (OLDER, ["test"])
    assert "converted_commit" not in origin


@pytest.mark.parametrize("state", ["none", "outdated", "partial"])
def test_without_a_whole_conversion_of_the_commit_own_files_are_read(
    hub: FakeHub, state: str
) -> None:
    hub.repositories[NAME] = Repository(
        {MAIN: OWN},
        {} if state == "none" else {("default", "train"): [table({"text": "It sails."})]},
        converted_of=OLDER if state == "outdated" else MAIN,
        partial=state == "partial",
    )
    assert take().units.count() == 4


def test_shards_of_rows_without_ids_are_all_read(hub: FakeHub) -> None:
    shards = [table({"text": f"Text {n}."}) for n in range(3)]
    hub.repositories[NAME] = Repository({MAIN: OWN}, {("default", "train"): shards})
    texts = take().items.values_list("sentences", flat=True)
    assert sorted(text[0]["text"] for text in texts) == ["Text 0.", "Text 1.", "Text 2."]


def test_a_configuration_and_splits_are_chosen_by_name(hub: FakeHub) -> None:
    splits = {
        (config, split): [table({"text": f"{config} {split}."})]
        for config in ("short", "long")
        for split in ("train", "test", "validation")
    }
    hub.repositories[NAME] = Repository({MAIN: {}}, splits)
    assert "config: name one: there are short, long" in refusal()
    assert "there is no wide: there are short, long" in refusal(config="wide")
    several = refusal(config="long")
    assert 'name one, or several as "a+b": there are train, test, validation' in several
    assert "split: there is no dev: there are train" in refusal(config="long", split="dev")
    study = take(config="long", split="test+train")
    texts = study.items.order_by("key").values_list("sentences", flat=True)
    assert [text[0]["text"] for text in texts] == ["long test.", "long train."]


def test_a_card_names_the_default_configuration_and_its_files(hub: FakeHub) -> None:
    card = b"""---
configs:
- {config_name: a, data_files: a/*.parquet}
- {config_name: b, default: true, data_files: [{split: test, path: b/*.parquet}]}
---
"""
    files = {f"{name}/x.parquet": table({"text": f"{name}."}) for name in "ab"}
    hub.repositories[NAME] = Repository({MAIN: {"README.md": card, **files}})
    study = take()
    assert study.items.get().sentences[0]["text"] == "b."
    assert study.imported["origin"]["config"] == "b"


def test_a_study_that_was_exported_to_the_hub_comes_back(hub: FakeHub, tmp_path: Path) -> None:
    from exports.files import write_export

    argilla = FOLDER.parent / "argilla"
    call_command("import_study", "argilla", str(argilla), slug="first", verbosity=0)
    first = Study.objects.get(slug="first")
    write_export(study=first, format_name="huggingface", folder=tmp_path / "out")
    out = {
        str(path.relative_to(tmp_path / "out")): path.read_bytes()
        for path in (tmp_path / "out").rglob("*")
        if path.is_file()
    }
    hub.repositories[NAME] = Repository({MAIN: out})
    values = ("rater__name", "question__unit__key", "question__block__key", "answer")
    stored = [sorted(map(str, s.annotations.values_list(*values))) for s in (first, take())]
    assert stored[0] == stored[1]


def test_a_token_goes_to_the_hub_and_nowhere_else(
    hub: FakeHub, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    hub.repositories[NAME] = Repository({MAIN: OWN}, private=True)
    study = take()
    assert study.units.count() == 4
    sent = {(host, bool(token)) for host, _path, token in hub.asked}
    assert (STORAGE, False) in sent
    assert (STORAGE, True) not in sent
    assert (HOST, True) in sent
    stored = f"{study.imported}{[*Change.objects.values()]}"
    assert TOKEN not in stored + caplog.text


def test_what_may_not_be_read_says_what_it_needs(
    hub: FakeHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.repositories[NAME] = Repository({MAIN: OWN}, private=True)
    hub.repositories["ferries/gated"] = Repository({MAIN: OWN}, gated=True)
    private = "dataset: there is none of this name, or it is private and needs HF_TOKEN"
    assert refusal() == f"{ADDRESS}: {private}"
    assert "gated: ask for access on its page, and set HF_TOKEN" in refusal(
        "hf://datasets/ferries/gated"
    )
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    absent = "dataset: there is none of this name that the account of HF_TOKEN may read"
    assert refusal("hf://datasets/ferries/none") == f"hf://datasets/ferries/none: {absent}"
    monkeypatch.setenv("HF_TOKEN", "hf_wrong")
    refused = refusal()
    assert "HF_TOKEN: the hub does not accept this token" in refused
    assert "hf_wrong" not in refused


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        (f"{ADDRESS}@nightly", "revision: there is no nightly"),
        (f"{ADDRESS}@..", "address: no dataset on the hub"),
        (f"{ADDRESS}@refs/../../models", "address: no dataset on the hub"),
        ("hf://models/ferries/answers", "no dataset on the hub: write hf://datasets/OWNER/NAME"),
        ("hf://datasets/../etc", "no dataset on the hub"),
        ("hf://datasets/a/b/c", "no dataset on the hub"),
    ],
)
def test_what_is_no_dataset_is_refused(hub: FakeHub, address: str, reason: str) -> None:
    hub.repositories[NAME] = Repository({MAIN: OWN})
    assert reason in refusal(address)


def test_the_address_of_its_page_is_understood(hub: FakeHub) -> None:
    hub.repositories[NAME] = Repository({MAIN: {}, OLDER: OWN})
    page = f"{hub.root}/datasets/{NAME}/tree/{OLDER}"
    assert take(page).imported["origin"]["commit"] == OLDER


def test_a_dataset_of_pictures_alone_is_refused(hub: FakeHub) -> None:
    hub.repositories[NAME] = Repository({MAIN: {"a.png": b"x", ".hidden.csv": b"x"}})
    assert "files: no Parquet, JSON or CSV there" in refusal()


def test_a_busy_hub_is_asked_again_when_it_says(hub: FakeHub) -> None:
    hub.repositories[NAME] = Repository({MAIN: OWN})
    hub.faults["/api/datasets"] = [Fault(429, {"Retry-After": "7"}), Fault(503)]
    assert take().units.count() == 4
    assert hub.waits == [7, 2]


def test_a_hub_that_stays_busy_is_named_with_its_time(hub: FakeHub) -> None:
    hub.repositories[NAME] = Repository({MAIN: OWN})
    hub.faults["/api/datasets"] = [Fault(429, {"Retry-After": "7"}) for _ in range(3)]
    said = "hub: it answers too many requests (429): try again in"
    assert f"{said} 7 seconds" in refusal()
    # Nobody waits an hour in front of a command.
    hub.faults["/api/datasets"] = [Fault(429, {"RateLimit": '"api";r=0;t=3600'})]
    assert f"{said} 3600 seconds" in refusal()
    assert hub.waits == [7, 7]


def test_a_download_that_breaks_off_is_begun_again(hub: FakeHub) -> None:
    hub.repositories[NAME] = Repository({MAIN: OWN})
    hub.faults["/repos/"] = [Fault(cut=100)]
    assert take().units.count() == 4
    assert hub.waits == [1]


def test_a_download_that_never_ends_whole_is_refused(hub: FakeHub) -> None:
    hub.repositories[NAME] = Repository({MAIN: OWN})
    hub.faults["/repos/"] = [Fault(cut=100) for _ in range(connection.TRIES)]
    assert "hub: it broke off after 100 bytes" in refusal()


def test_other_bytes_than_the_hub_announced_are_refused(hub: FakeHub) -> None:
    hub.repositories[NAME] = Repository({MAIN: OWN})
    other = {"X-Linked-Etag": f'"{"0" * 64}"'}
    hub.faults["/resolve/"] = [Fault(headers=other) for _ in range(8)]
    assert "the file does not match its SHA-256" in refusal()


@pytest.mark.parametrize("storage", ["http://10.0.0.5", "http://inside.example", "http://[::1]"])
def test_a_redirect_to_a_private_address_is_refused(hub: FakeHub, storage: str) -> None:
    hub.repositories[NAME] = Repository({MAIN: OWN})
    hub.storage = storage
    assert "is not on the public internet" in refusal()


def test_a_hub_of_the_own_network_needs_a_setting(hub: FakeHub, settings: Any) -> None:
    hub.repositories[NAME] = Repository({MAIN: OWN})
    settings.HUB_PRIVATE, settings.HUB_PORTS = [], [hub.port]
    assert f"address: refused: {HOST} is not on the public internet" in refusal()
    assert hub.asked == []


def test_endless_redirects_end(hub: FakeHub) -> None:
    hub.repositories[NAME] = Repository({MAIN: OWN})
    again = {"Location": "/api/datasets/ferries/answers"}
    hub.faults["/api/datasets"] = [Fault(302, again) for _ in range(9)]
    assert "more than 5 redirects" in refusal()


def test_a_redirect_away_from_tls_is_refused() -> None:
    answer = httpx2.Response(302, headers={"Location": "http://storage.example/b"})
    with pytest.raises(LinkRefused, match=r"redirects to storage\.example without TLS"):
        connection._redirected(httpx2.URL("https://hub.example/a"), answer)


def test_an_import_that_takes_too_long_ends(hub: FakeHub, monkeypatch: pytest.MonkeyPatch) -> None:
    hub.repositories[NAME] = Repository({MAIN: OWN})
    monkeypatch.setattr(connection, "LONGEST", 0)
    assert "hub: it took longer than 0 hours" in refusal()


def test_whoever_watches_may_stop_a_download(hub: FakeHub, tmp_path: Path) -> None:
    class Cancelled(Exception):
        pass

    def watch(n_bytes: int) -> None:
        if n_bytes > LARGE:
            raise Cancelled

    hub.repositories[NAME] = Repository({MAIN: OWN})
    with pytest.raises(Cancelled):
        fetch_dataset(address=DatasetAddress(NAME), folder=tmp_path, kind=HuggingFace, watch=watch)


class Full(FileIO):
    """A file on a disk without room."""

    def write(self, _piece: Any) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_is_named_at_once(hub: FakeHub, monkeypatch: pytest.MonkeyPatch) -> None:
    hub.repositories[NAME] = Repository({MAIN: OWN})
    opened = Path.open

    def open_full(path: Path, mode: str = "r", *more: Any, **named: Any) -> Any:
        return Full(path, mode) if mode == "wb" else opened(path, mode, *more, **named)

    monkeypatch.setattr(Path, "open", open_full)
    assert "disk: No space left on device" in refusal()
    assert hub.waits == []


@pytest.mark.parametrize("answer", [[], {}, {"sha": MAIN, "siblings": [{"path": "a.csv"}]}])
def test_answers_of_another_form_are_refused(
    hub: FakeHub, answer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = json.dumps(answer).encode()
    monkeypatch.setattr(hub, "answer", lambda *_: (200, {}, body))
    assert refusal().startswith(f"{ADDRESS}: ")


def test_more_than_the_limit_is_refused_before_it_is_fetched(hub: FakeHub, settings: Any) -> None:
    settings.HUB_MIB = 0
    hub.repositories[NAME] = Repository({MAIN: {"train.parquet": ROWS}})
    assert "size: larger than 0 MiB (HUB_MIB)" in refusal()
    assert not [path for _host, path, _token in hub.asked if "/resolve/" in path]


def test_formats_of_tables_are_read_from_the_hub_and_others_are_not(
    hub: FakeHub, tmp_path: Path
) -> None:
    votes = FOLDER.parent / "arena/human_judgments.json"
    hub.repositories[NAME] = Repository({MAIN: {"human_judgments.json": votes.read_bytes()}})
    assert take(format_name="arena").annotations.exists()
    with pytest.raises(CommandError, match="the format qags is not read from the hub"):
        take(format_name="qags")
    with pytest.raises(CommandError, match="--split is for a dataset on the hub"):
        call_command("import_study", "huggingface", str(FOLDER), slug="t", split="test")


def test_a_refused_record_is_named_by_its_file_alone(hub: FakeHub) -> None:
    card = b"---\ndataset_info: {features: [{name: m, dtype: {class_label: {names: [a]}}}]}\n---\n"
    rows = table({"text": "It sails.", "m": 0}, {"text": "So.", "m": 4}, {"text": "No.", "m": 0})
    hub.repositories[NAME] = Repository({MAIN: {"README.md": card, "train.parquet": rows}})
    study = take(strict=False)
    assert study.imported["odd"]["skipped"] == [
        "train.parquet (row 2): m: '4' is none of 1 classes (a)"
    ]
