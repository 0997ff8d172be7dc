"""A dataset in the layout of the Hugging Face Hub, with Croissant metadata."""

import io
import json
import zipfile
from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import yaml
from django.core.management import call_command

from annotation.models import Study
from exports.files import stream_archive
from tests.results.answers import disagree

FEATURES: dict[str, Any] = {
    "string": pl.String,
    "float64": pl.Float64,
    "int64": pl.Int64,
    "timestamp[us, tz=UTC]": pl.Datetime("us", "UTC"),
}
CROISSANT: dict[str, Any] = {
    "sc:Text": pl.String,
    "sc:Float": pl.Float64,
    "sc:Integer": pl.Int64,
    "sc:DateTime": pl.Datetime("us", "UTC"),
}


@pytest.fixture
def folder(study: Study, tmp_path: Path) -> Path:
    disagree(study)
    call_command("export", study.slug, format="huggingface", out=tmp_path, stdout=StringIO())
    return tmp_path


def header_of(folder: Path) -> dict[str, Any]:
    """The YAML at the head of the card."""
    start, header, _body = (folder / "README.md").read_text().split("---\n", 2)
    assert start == ""
    parsed: dict[str, Any] = yaml.safe_load(header)
    return parsed


def test_the_card_names_the_files_and_the_features_that_are_there(folder: Path) -> None:
    header = header_of(folder)

    assert [config["config_name"] for config in header["configs"]] == ["labels", "ratings"]
    assert [config.get("default") for config in header["configs"]] == [True, None]
    assert header["size_categories"] == ["n<1K"]
    for config, info in zip(header["configs"], header["dataset_info"], strict=True):
        (file,) = config["data_files"]
        frame = pl.read_parquet(folder / file["path"])
        assert file["split"] == "train"
        assert info["config_name"] == config["config_name"]
        assert frame.schema == {
            feature["name"]: pl.List(FEATURES[feature["list"]])
            if "list" in feature
            else FEATURES[feature["dtype"]]
            for feature in info["features"]
        }
        assert len(frame)


def test_the_card_says_how_people_are_named(folder: Path) -> None:
    card = (folder / "README.md").read_text()

    assert "People who answered in Jurybox are named by pseudonyms." in card
    assert "| `judge_lexical` |" in card


def test_croissant_describes_each_file_and_column(folder: Path) -> None:
    metadata = json.loads((folder / "croissant.json").read_text())

    assert metadata["@type"] == "sc:Dataset"
    assert metadata["conformsTo"] == "http://mlcommons.org/croissant/1.0"
    assert {"name", "description", "version", "datePublished", "creator"} <= metadata.keys()
    # Every short name in it is a word of schema.org, or is in the context.
    assert {"recordSet", "field", "source", "fileObject", "extract", "column", "dataType"} <= (
        metadata["@context"].keys()
    )
    files = {file["@id"]: file for file in metadata["distribution"]}
    for file in files.values():
        content = (folder / file["contentUrl"]).read_bytes()
        assert file["sha256"] == sha256(content).hexdigest()
        assert (file["@type"], file["encodingFormat"]) == (
            "cr:FileObject",
            "application/x-parquet",
        )
    for records in metadata["recordSet"]:
        sources = {field["source"]["fileObject"]["@id"] for field in records["field"]}
        frame = pl.read_parquet(folder / files[sources.pop()]["contentUrl"])
        assert not sources
        assert frame.schema == {
            field["source"]["extract"]["column"]: pl.List(CROISSANT[field["dataType"]])
            if field.get("repeated")
            else CROISSANT[field["dataType"]]
            for field in records["field"]
        }
        identities = [field["@id"] for field in records["field"]]
        assert len(set(identities)) == len(identities)
        assert all(field["description"] for field in records["field"])


def test_the_archive_holds_the_same_files(folder: Path, study: Study) -> None:
    names = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    packed = io.BytesIO(b"".join(stream_archive(study, "huggingface")))

    with zipfile.ZipFile(packed) as archive:
        assert {name.split("/", 1)[1] for name in archive.namelist()} == names


def test_the_card_says_how_labels_were_made_before_it_speaks_of_people(folder: Path) -> None:
    card = (folder / "README.md").read_text()
    assert card.index("## How labels were made") < card.index("## People")
