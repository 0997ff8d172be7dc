"""Importing a whole study from files."""

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from django.db import transaction
from django.utils import timezone

from annotation.models import Study
from files.errors import ImportFailure, well_formed
from files.findings import word_on_texts
from files.readers.streams import fingerprint
from files.skipped import LISTED
from imports.answers.importing import write_answers
from imports.formats.contract import Format, FormatInput, with_folders_read
from imports.formats.registry import every_format
from imports.material.places import open_imported_places
from imports.material.removal import remove_study
from imports.material.row_counts import LARGE, MATERIAL, count_rows
from imports.material.storage import MaterialWriter
from imports.sandbox.formats import FormatApart
from imports.sandbox.limits import Limits
from imports.studies.unfinished import (
    Listener,
    publish,
    refuse_taken,
    remove_abandoned,
    still_importing,
    unfinished_study,
)
from imports.study_file.owner import make_owners, refuse_unknown
from imports.study_file.schema import StudyRecord

T = TypeVar("T")


def import_study(
    *,
    format_name: str,
    format_input: FormatInput,
    slug: str,
    title: str = "",
    owner: str = "",
    replace: bool = False,
    pseudonyms: bool | None = None,
    listener: Listener | None = None,
    limits: Limits | None = None,
    adapted: Callable[[Format], Format] | None = None,
) -> tuple[Study, list[str]]:
    """Create a study from files; the study, and a summary in lines.
    ImportFailure names file, record and field; nothing is imported then. A record that cannot be
    used is one, unless `format_input.skipped` takes it. A study of that slug is refused, unless
    `replace`, which removes it in the end and keeps its members. pseudonyms: people get other
    names than in the files; None: where these are accounts. listener: is told how far it is.
    limits: those of a process of its own that reads the files, as it is to be where a stranger has
    sent them. adapted: makes another format of the one that reads the files, such as one that asks
    something else about the same texts.

    Others may write meanwhile, and see the study when it is whole. Not to be called in a
    transaction, which would keep them waiting.
    """
    remove_abandoned(now=timezone.now())
    listener = listener or Listener()
    kind = every_format()[format_name]
    format_input = dataclasses.replace(
        format_input, files=with_folders_read(kind, format_input.files)
    )
    with well_formed(format_input.files[0]):
        source = kind(format_input) if limits is None else FormatApart(kind, format_input, limits)
        source = adapted(source) if adapted else source
    with closing(source):
        described = _described(source, slug=slug, title=title, file=format_input.files[0])
        pseudonyms = source.names_accounts if pseudonyms is None else pseudonyms
        refuse_taken(slug, replace=replace)
        refuse_unknown(owner, of=slug)
        with unfinished_study(described) as study:
            listener.begun(study)
            _write_material(study, source, listener)
            _write_answers(study, source, listener, pseudonyms=pseudonyms)
            _tell_origin(study, source, format_name, format_input)
            with transaction.atomic():
                replaced = publish(study=study, slug=slug, replace=replace)
                make_owners(study=study, username=owner)
                listener.made(study)
                study.touch()
    if replaced is not None:
        remove_study(study=replaced)
    return study, summary(study.imported, source.summary(), text_form=study.text_form)


def _read(records: Iterator[T], file: Path) -> Iterator[T]:
    """What a format reads, by `well_formed`."""
    while True:
        with well_formed(file):
            try:
                record = next(records)
            except StopIteration:
                return
        yield record


def _tell_origin(study: Study, source: Format, format_name: str, format_input: FormatInput) -> None:
    """What was imported and what was odd about it; ImportFailure where too little was usable."""
    published = source.published()
    source.skipped.refuse_unusable()
    source.skipped.note_in(source.findings)
    study.imported = {
        "format": format_name,
        "files": [
            {"name": path.name, "sha256": fingerprint(path)} for path in _all_files(format_input)
        ],
        **source.findings.as_json(),
        **source.told(),
    }
    if format_input.origin:
        study.imported["origin"] = dict(format_input.origin)
    if published:
        study.imported["published"] = published
    study.save(update_fields=["imported"])


def _at_work(study: Study, source: Format, listener: Listener) -> None:
    still_importing(study)
    listener.written(source.findings.counts["records"])


def _write_material(study: Study, source: Format, listener: Listener) -> None:
    at_work = partial(_at_work, study, source, listener)
    writer = MaterialWriter(study, source.findings, source.skipped, after_group=at_work)
    for entry in _read(source.entries(), source.input.files[0]):
        writer.add(entry)
    writer.close()
    open_imported_places(study)
    if study.units.count() >= LARGE:
        count_rows(MATERIAL)


def _write_answers(study: Study, source: Format, listener: Listener, *, pseudonyms: bool) -> None:
    counts = write_answers(
        study=study,
        answer_lines=_read(source.answers(), source.input.files[0]),
        skipped=source.skipped,
        pseudonyms=pseudonyms,
        after_chunk=partial(_at_work, study, source, listener),
    )
    if counts:
        source.findings.count("answers", sum(counts.values()))
        source.findings.count("raters", len(counts))


def summary(
    imported: dict[str, Any], more: Sequence[str] = (), *, text_form: str = "plain"
) -> list[str]:
    """The counts and oddities of an import, in words, and how its texts may be shown."""
    counts = imported["counts"]
    subsets = imported["subsets"].items()
    parts = ", ".join(f"{number} in {name}" for name, number in sorted(subsets))
    lines = [f"{name}: {counts.get(name, 0)}" for name in ("sources", "items", "units")]
    if parts:
        lines[-1] += f" ({parts})"
    if counts.get("answers"):
        lines.append(f"answers: {counts['answers']} of {counts['raters']} raters")
    odd = [
        f"{name.replace('_', ' ')}: {counts[name]} (e.g. {places[0]})"
        for name, places in sorted(imported["odd"].items())
        if name != LISTED
    ]
    asked = word_on_texts(counts, text_form)
    how = [f"{asked} (text_form in the study file; now {text_form})"] if asked else []
    return [*lines, *more, *odd, *how]


def _described(source: Format, *, slug: str, title: str, file: Path) -> StudyRecord:
    with well_formed(file):
        described = source.study()
    named = described.model_dump(by_alias=True, exclude_unset=True)
    named |= {"slug": slug, "title": title or described.title or slug}
    try:
        return StudyRecord.model_validate(named)
    except ValueError as error:
        raise ImportFailure.of(str(file), error) from error


def _all_files(format_input: FormatInput) -> list[Path]:
    named = [*format_input.files, *filter(None, (format_input.chains, format_input.columns))]
    return [file for path in named for file in _files_of(path)]


def _files_of(path: Path) -> list[Path]:
    inside = path.rglob("*") if path.is_dir() else [path]
    return sorted(file for file in inside if file.is_file() and not file.is_symlink())
