"""Changing a study that may have answers: what a study file may still change."""

from collections.abc import Set as AbstractSet
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F

from annotation.models import (
    Allotment,
    AssignmentUnit,
    Block,
    Draft,
    FixedBatch,
    Place,
    Preparation,
    Study,
    Unit,
)
from files.errors import ImportFailure
from imports.material.removal import remove_material
from imports.studies.rounds import change_rounds
from imports.study_file.judge_entries import JUDGES_KEY, merged_judges
from imports.study_file.picked import changed_picks
from imports.study_file.rows import block_rows, row_fields
from imports.study_file.schema import StudyFile, StudyRecord
from imports.study_file.study_fields import key_of, same_keys, study_fields

# The keys that the questions are made of.
MADE_OF = frozenset({"blocks", "seed"})
# Options that shape no question: which facets a block or a criterion is compared with, and what an
# import says of its scale, which no file needs to repeat.
COMPARISONS, OBSERVED = "compared_with", "ends_observed"
# With another of these the table of a team is another.
OF_THE_TABLE = ("batches", "overlap", "team_members")


def has_work(study: Study) -> bool:
    """Whether anybody, person or machine, has answered or holds a batch."""
    return (
        study.annotations.exists()
        or AssignmentUnit.objects.filter(place__round__study=study).exists()
        or Draft.objects.filter(question__study=study).exists()
    )


def lock_to_change(described: StudyFile) -> Study | None:
    """The existing study, locked until the end of the transaction; None where there is none.

    Places that will change are locked first: a submission locks places, then the study. Whoever
    is given a batch holds the study's state, then waits for places; so after places the study is
    locked without its key, which does not wait for them.
    """
    study = Study.objects.filter(slug=described.slug).first()
    if study is None:
        return None
    locked = Study.objects.select_for_update()
    if study.setting != described.setting or _of_the_table(study) != _of_the_table(described):
        Place.objects.filter(round__study=study).lock()
        locked = Study.objects.select_for_update(no_key=True)
    elif picks := changed_picks(study, described.picked):
        Place.objects.filter(round__study=study, source__units__key__in=picks).lock()
        locked = Study.objects.select_for_update(no_key=True)
    return locked.get(pk=study.pk)


def change_study(
    *, study: Study, described: StudyRecord, named: AbstractSet[str], where: str
) -> list[str]:
    """Bring a study's own rows up to its file; the names of what changed.

    named: the keys that the file names; nothing else changes. ImportFailure, naming the key, where
    a change would invalidate answers.
    """
    # What the file leaves out was read before the study was locked, and may be another since then.
    kept = {field: getattr(study, field) for field in same_keys() if field not in named}
    described = described.model_copy(update=kept)
    changed = _change_questions(study, described, where) if named & MADE_OF else []
    if "blocks" in named:
        changed += _change_comparisons(study, described)
    changed += _change_setting(study, described, where)
    changed += _change_overlap(study, described, where)
    _refuse_other_batches(study, described, where)
    _refuse_small_team(study, described, where)
    if "rounds" in named:
        changed += change_rounds(study, described, where)
    changed += _change_fields(study, described, named)
    return changed


# --- What the questions are made of -------------------------------------------------------------


def _change_questions(study: Study, described: StudyRecord, where: str) -> list[str]:
    """Change blocks and seed, which shape every question: only if all can be made again."""
    key = _changed_block(study, described)
    if key is None and study.seed == described.seed:
        return []
    name = "seed" if key is None else f"blocks.{key}"
    make_anew(study, where, name)
    if key is not None:
        study.blocks.all().delete()
        Block.objects.bulk_create(block_rows(study, described))
    return [name] if key is not None else []  # the seed itself is a field


def make_anew(study: Study, where: str, name: str) -> None:
    """Empty a study, to load its items again; refused once somebody worked on them."""
    if has_work(study):
        raise ImportFailure(where, name, "cannot change (the study has answers to its questions)")
    if study.sources.exists() and "files" in study.imported:
        raise ImportFailure(
            where, name, "cannot change (import the study's files again, with --replace)"
        )
    if Preparation.objects.filter(study=study).checked().exists():
        raise ImportFailure(
            where,
            name,
            "cannot change (people have checked lists of the study; under another slug, `prepare` "
            "takes them over by file)",
        )
    if "published" in study.imported:
        return  # nothing was made of its questions, and what others published stays
    remove_material(study=study)
    study.imported = {key: study.imported[key] for key in study.imported.keys() & {JUDGES_KEY}}
    study.save(update_fields=["imported"])


def _changed_block(study: Study, described: StudyRecord) -> str | None:
    """The key of the first block that is not as it was."""
    standing = list(study.blocks.order_by("position"))
    wanted = block_rows(study, described)
    for old, new in zip(standing, wanted, strict=False):
        same_type = (old.key, old.task_type_slug) == (new.key, new.task_type_slug)
        if not same_type or _asked(old) != _asked(new):
            return old.key
    longer = max(standing, wanted, key=len)
    shorter = min(len(standing), len(wanted))
    return longer[shorter].key if len(longer) > shorter else None


def _asked(block: Block) -> Any:
    """The options of a block without what only concerns its figures."""
    return _shaping(block.typed_options.model_dump(mode="json"))


def _shaping(options: Any) -> Any:
    if isinstance(options, list):
        return [_shaping(entry) for entry in options]
    if not isinstance(options, dict):
        return options
    kept = options.keys() - {COMPARISONS, OBSERVED}
    return {name: _shaping(options[name]) for name in kept}


def _comparisons(block: Block) -> list[tuple[str, ...]]:
    return [facet.compared_with for facet in block.facets]


def _change_comparisons(study: Study, described: StudyRecord) -> list[str]:
    """Which facets are compared with which shapes no question: it may change at any time."""
    changed = []
    wanted = {block.key: block for block in block_rows(study, described)}
    for block in study.blocks.order_by("position"):
        new = wanted[block.key]
        if _comparisons(block) != _comparisons(new):
            observed = {OBSERVED: block.options[OBSERVED]} if OBSERVED in block.options else {}
            Block.objects.filter(pk=block.pk).update(options=new.options | observed)
            changed.append(f"blocks.{block.key}.{COMPARISONS}")
    return changed


# --- Who meets the units, and how many times ----------------------------------------------------


def _change_setting(study: Study, described: StudyRecord, where: str) -> list[str]:
    if study.setting == described.setting:
        return []
    if AssignmentUnit.objects.filter(place__round__study=study).exists():
        raise ImportFailure(where, "setting", "cannot change (batches have been given out)")
    Place.objects.filter(round__study=study, role=Unit.Role.NORMAL).delete()
    return []  # a field; the places of the new setting are opened afterwards


def _change_overlap(study: Study, described: StudyRecord, where: str) -> list[str]:
    places = Place.objects.filter(round__study=study, role=Unit.Role.NORMAL)
    if _changes_table(study, described):
        # It has changed what they want, and is written anew.
        untouched = places.filter(held=0, counted=0)
        untouched.update(wanted=described.overlap)
        places = places.exclude(pk__in=untouched)
    if study.overlap == described.overlap:
        return []
    # Units that were asked again still want their answers beyond the overlap.
    more = described.overlap - study.overlap
    try:
        with transaction.atomic():
            places.update(wanted=F("wanted") + more)
    except IntegrityError as error:  # the constraint sees what a query before it could miss
        taken = F("held") + F("counted")
        full = places.annotate(taken=taken).filter(taken__gt=F("wanted") + more)
        unit = full.select_related("unit").first()
        which = f"unit {unit.unit.key} has" if unit else "a unit has"
        raise ImportFailure(
            where, "overlap", f"cannot shrink to {described.overlap} ({which} more already)"
        ) from error
    return []  # a field


def _changes_table(study: Study, described: StudyRecord) -> bool:
    """Whether the table of a team is to be another one, or there is to be none."""
    return study.has_team and _of_the_table(study) != _of_the_table(described)


def _of_the_table(of: Study | StudyRecord) -> list[object]:
    return [getattr(of, name) for name in OF_THE_TABLE]


def _refuse_other_batches(study: Study, described: StudyRecord, where: str) -> None:
    """Refuse to switch between fixed and composed batches once some have been given out."""
    if study.batches == described.batches:
        return
    if AssignmentUnit.objects.filter(place__round__study=study).exists():
        raise ImportFailure(where, "batches", "cannot change (batches have been given out)")
    FixedBatch.objects.filter(round__study=study).delete()
    Allotment.objects.filter(place__round__study=study).delete()


def _refuse_small_team(study: Study, described: StudyRecord, where: str) -> None:
    """Refuse a team with fewer members than have come."""
    taken = study.seats.filter(left_at=None).exclude(participation=None).count()
    if taken > described.team_members:
        raise ImportFailure(
            where, "team_members", f"cannot shrink to {described.team_members} ({taken} have come)"
        )


# --- Texts and limits ---------------------------------------------------------------------------


def _change_fields(study: Study, described: StudyRecord, named: AbstractSet[str]) -> list[str]:
    fields = {
        field: value for field, value in row_fields(described).items() if key_of(field) in named
    }
    if "judges" in fields:
        fields["judges"] = merged_judges(study, fields["judges"])
    changed = [name for name, value in fields.items() if getattr(study, name) != value]
    for name in changed:
        setattr(study, name, fields[name])
    if changed:
        study.save(update_fields=changed)
    if any(study_fields()[key_of(name)].counted for name in changed):
        study.touch()
    return changed
