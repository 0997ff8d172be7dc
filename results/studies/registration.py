"""Registering a study: its file, claims, material and analysis, hashed and never changed again."""

import difflib
import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.db.models import Expression, TextField
from django.db.models.expressions import RawSQL
from django.db.models.functions import Cast
from django.utils.timezone import localtime

from annotation.models import Annotation, Question, Rater, Study, User
from annotation.models.changes import log_change
from estimates.data.options import EDITION, Options
from imports.study_file.writing import as_yaml, study_keys
from judges.runs.provenance import code_version
from results.models import KeptMaterial, Registration
from results.studies.claims import claims_of, first_registration
from workbench.splitting import split_of

# Reads so many questions at a time.
CHUNK = 2_000


class NeedsReason(Exception):
    """A study that is registered already is registered again only with a reason."""


@transaction.atomic
def register(*, study: Study, by: User | None, reason: str = "") -> Registration:
    """Keep the study as it stands. What was registered before stays; NeedsReason where there is
    such a registration and no reason is given."""
    # Locked, so that the study's file does not change while it is read.
    study = Study.objects.select_for_update().get(pk=study.pk)
    if not reason.strip() and study.registrations.exists():
        raise NeedsReason
    standing = _standing(study)
    people = Annotation.objects.filter(study=study, rater__kind=Rater.Kind.HUMAN)
    registration = Registration.objects.create(
        study=study,
        **standing,
        digest=digest_of(standing),
        answers=people.count(),
        reason=reason.strip(),
        registered_by=by,
    )
    log_change(study=study, by=by, action="study.registered", subject=registration.digest)
    return registration


def digest_of(standing: dict[str, Any]) -> str:
    """SHA-256, in hexadecimal digits, over keys, analysis and material as JSON with sorted keys and
    no spaces, in UTF-8."""
    return hashlib.sha256(_canonical(standing)).hexdigest()


def as_json(registration: Registration) -> dict[str, Any]:
    """The registration as a file; its digest is that of `registered`."""
    return {
        "study": registration.study.slug,
        "registered_at": _written(registration.registered_at),
        "answers_then": registration.answers,
        "reason": registration.reason,
        "sha256": registration.digest,
        "registered": {
            "keys": registration.keys,
            "analysis": registration.analysis,
            "material": registration.material,
        },
    }


def changes_since(registration: Registration) -> list[str]:
    """What of the study is not as it was registered: lines of a unified difference of its file and
    its analysis, and a line where units were added, removed or changed."""
    now = _standing(registration.study)
    lines = [
        line
        for name in ("keys", "analysis")
        for line in _difference(getattr(registration, name), now[name])
    ]
    if registration.material != now["material"]:
        before, after = registration.material, now["material"]
        lines.append(
            f"units: {before['units']} registered, {after['units']} now, "
            f"{'others' if before['units'] != after['units'] else 'with other questions'}"
        )
    return lines


def _standing(study: Study) -> dict[str, Any]:
    """What is registered, as JSON values."""
    split = split_of(study)
    standing = {
        "keys": study_keys(study),
        "analysis": {
            "options": asdict(Options().settled(study.epsilon)),
            "edition": EDITION,
            "program": code_version(),
            **({"split": split.as_json()} if split else {}),
        },
        "material": _material(study),
    }
    plain: dict[str, Any] = json.loads(_canonical(standing))
    return plain


def _material(study: Study) -> dict[str, Any]:
    """How many units there are, and a hash over what is asked about each. Of a study whose
    questions are stored as they were the last time, what was counted then."""
    stored = _stored(study)
    kept = KeptMaterial.objects.filter(study=study, stored=stored).first()
    if kept is not None:
        material: dict[str, Any] = kept.material
        return material
    material = _counted_material(study)
    KeptMaterial.objects.update_or_create(
        study=study, defaults={"stored": stored, "material": material}
    )
    return material


def _stored(study: Study) -> str:
    """A hash over all that `_counted_material` reads, without reading JSON."""
    blocks = [*study.blocks.order_by("pk").values_list("pk", "key", "position")]
    hashed = hashlib.sha256(f"{blocks} {study.units.count()}".encode())
    rows = Question.objects.filter(study=study).order_by("pk")
    columns = rows.values_list("pk", "unit__key", "unit__role", "block", *_written_as())
    for row in columns.iterator(chunk_size=CHUNK):
        hashed.update(repr(row).encode())
    return hashed.hexdigest()


def _written_as() -> list[Expression]:
    """What of a question's row changes whenever its payload or reference does: the texts or, on
    PostgreSQL, which keeps no texts of JSON, the transaction that wrote the row and its place."""
    if connection.vendor == "postgresql":
        table = Question._meta.db_table
        row = f'"{table}"."xmin"::text || "{table}"."ctid"::text'
        return [RawSQL(row, [])]  # noqa: S611 (no user's text)
    return [Cast(name, TextField()) for name in ("payload", "reference")]


def _counted_material(study: Study) -> dict[str, Any]:
    hashed = hashlib.sha256()
    for line in _questions(study):
        hashed.update(_canonical(line))
    return {"units": study.units.count(), "sha256": hashed.hexdigest()}


def _questions(study: Study) -> Iterator[list[Any]]:
    """Each question with its unit's key and role, whatever the order in which they were stored."""
    fields = ("unit__key", "unit__role", "block__key", "payload", "reference")
    rows = Question.objects.filter(study=study).order_by("unit__key", "block__position")
    for row in rows.values_list(*fields).iterator(chunk_size=CHUNK):
        yield list(row)


def _difference(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    # Sorted: PostgreSQL keeps the keys of JSON in an order of its own.
    old, new = (as_yaml(json.loads(_canonical(each))).splitlines() for each in (before, after))
    return list(difflib.unified_diff(old, new, lineterm="", n=2))[2:]


def _canonical(value: Any) -> bytes:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode()


def registered(study: Study) -> dict[str, Any]:
    """What reports say of the first registration, the claims, and what has changed since; empty
    where there is none, or the study is that of a bundle."""
    first = first_registration(study) if study.pk else None
    if first is None:
        return {}
    claims = claims_of(study)
    return {
        "sha256": first.digest,
        "registered_at": _written(first.registered_at),
        "answers_then": first.answers,
        "claims": [{"text": claim.text, "made": claim.standing} for claim in claims],
        "changes": changes_since(first),
    }


def _written(at: datetime) -> str:
    return localtime(at).isoformat(timespec="seconds")
