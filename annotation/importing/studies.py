"""Import a whole study from files: the verb behind `import_study`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.db import transaction

from annotation.importing.answers import take_answers
from annotation.importing.errors import ImportFailure
from annotation.importing.files.streams import fingerprint
from annotation.importing.formats.contract import Format, Given
from annotation.importing.formats.fcexp import FcExp
from annotation.importing.formats.jsonl import Jsonl
from annotation.importing.formats.politihop import PolitiHop
from annotation.importing.formats.qags import Qags
from annotation.importing.formats.ranks import Ranks
from annotation.importing.formats.raters import Raters
from annotation.importing.formats.ratings import Ratings
from annotation.importing.formats.summary import Summary
from annotation.importing.formats.unieval import UniEval
from annotation.importing.formats.vitalerrors import VitalErrors
from annotation.importing.material.places import open_imported_places
from annotation.importing.material.removal import remove_study
from annotation.importing.material.row_counts import LARGE, MATERIAL, count_rows
from annotation.importing.material.storage import MaterialWriter
from annotation.importing.study_file.owner import make_owners
from annotation.importing.study_file.rows import create_study
from annotation.importing.study_file.schema import StudyRecord
from annotation.models import Study

# Every format that a study can be imported from: one line each.
FORMATS: dict[str, type[Format]] = {
    "jsonl": Jsonl,
    "fcexp": FcExp,
    "politihop": PolitiHop,
    "qags": Qags,
    "unieval": UniEval,
    "vitalerrors": VitalErrors,
    "ratings": Ratings,
    "raters": Raters,
    "ranks": Ranks,
    "summary": Summary,
}


@transaction.atomic
def import_study(
    *,
    format_name: str,
    given: Given,
    slug: str,
    title: str = "",
    owner: str = "",
    replace: bool = False,
) -> tuple[Study, list[str]]:
    """A new study from files, and what was found in them, a line each; all or nothing.

    ImportFailure names file, record and field. A study of that slug is refused, unless
    `replace`, which removes it first and keeps its members.
    """
    source = FORMATS[format_name](given)
    described = _described(source, slug=slug, title=title, file=given.files[0])
    members = _make_way(slug, replace=replace)
    study = create_study(described)
    for member in members:
        member.pk, member.study = None, study
        member.save(force_insert=True)
    make_owners(study=study, username=owner)
    writer = MaterialWriter(study, source.findings)
    for entry in source.entries():
        writer.add(entry)
    writer.close()
    open_imported_places(study)
    if study.units.count() >= LARGE:
        count_rows(MATERIAL)
    if answered := take_answers(study=study, given=source.answers()):
        source.findings.count("answers", sum(answered.values()))
        source.findings.count("raters", len(answered))
    study.imported = {
        "format": format_name,
        "files": [_file(path) for path in _all_files(given)],
        **source.findings.as_json(),
    }
    if published := source.published():
        study.imported["published"] = published
    study.save(update_fields=["imported"])
    study.touch()
    return study, summary(study.imported, source.summary())


def summary(imported: dict[str, Any], more: Sequence[str] = ()) -> list[str]:
    """What came in, in words."""
    counts = imported["counts"]
    subsets = imported["subsets"].items()
    parts = ", ".join(f"{number} in {name}" for name, number in sorted(subsets))
    came = [f"{what}: {counts.get(what, 0)}" for what in ("sources", "items", "units")]
    if parts:
        came[-1] += f" ({parts})"
    if counts.get("answers"):
        came.append(f"answers: {counts['answers']} of {counts['raters']} raters")
    odd = [
        f"{name.replace('_', ' ')}: {counts[name]} (e.g. {places[0]})"
        for name, places in sorted(imported["odd"].items())
    ]
    return [*came, *more, *odd]


def _described(source: Format, *, slug: str, title: str, file: Path) -> StudyRecord:
    described = source.study()
    named = described.model_dump(by_alias=True, exclude_unset=True)
    named |= {"slug": slug, "title": title or described.title or slug}
    try:
        return StudyRecord.model_validate(named)
    except ValueError as error:
        raise ImportFailure.of(str(file), error) from error


def _make_way(slug: str, *, replace: bool) -> list[Any]:
    """The members of the study that stood under this slug, which is gone afterwards."""
    standing = Study.objects.filter(slug=slug).first()
    if standing is None:
        return []
    if not replace:
        raise ImportFailure(f"study {slug}", "slug", "taken (--replace removes the old study)")
    members = list(standing.members.all())
    remove_study(study=standing)
    return members


def _all_files(given: Given) -> list[Path]:
    return [*given.files, *filter(None, (given.chains, given.columns))]


def _file(path: Path) -> dict[str, str]:
    return {"name": path.name, "sha256": fingerprint(path)}
