"""Removing a study or its material, unless work or pay of people would be lost."""

from collections.abc import Callable, Collection, Iterable

from django.db import transaction
from django.db.models import ProtectedError

from annotation.models import Annotation, GoldAnswer, LedgerRow, Rater, Source, Study, Unit, Worker
from files.errors import ImportFailure
from files.findings import Findings

# Deleted in groups: Django collects everything below a source in memory.
_SOURCES = 200
# In transactions of their own, which are to be short.
_FEW = 20


def remove_study(*, study: Study, removed: Callable[[int], object] = lambda _n: None) -> None:
    """Delete a study with everything that belongs to it, in several transactions: nobody is to see
    it any more. Whether it may go is for `refuse_loss`. removed: told how many sources have gone by
    now; whatever it raises stops here."""
    remove_tryouts(study.tryouts.all())
    n = 0
    while some := _remove_sources(study, _FEW):
        n += some
        removed(n)
    remove_material(study=study)
    study.delete()


def refuse_loss(study: Study) -> None:
    """ImportFailure where workers are owed money for a study, or where people answered or decided
    questions here: what they said is never deleted by an import."""
    where = f"study {study.slug}"
    if LedgerRow.objects.filter(participation__study=study).exists():
        raise ImportFailure(where, "replace", "refused (workers are owed money for this study)")
    here = Annotation.objects.filter(
        study=study, rater__kind=Rater.Kind.HUMAN, rater__origin=Rater.Origin.HERE
    )
    if here.exists():
        raise ImportFailure(where, "replace", "refused (people have answered in this study)")
    if GoldAnswer.objects.filter(study=study).exists():
        raise ImportFailure(where, "replace", "refused (questions of this study were decided)")


@transaction.atomic
def remove_tryouts(tryouts: Iterable[Study]) -> None:
    """Delete copies that researchers worked in, with all that was answered and owed in them."""
    for copy in tryouts:
        if copy.tryout_of_id is None:
            raise ValueError(f"study {copy.slug} is no try-out")
        people = list(copy.participations.values_list("worker", flat=True))
        LedgerRow.objects.filter(participation__study=copy).delete()
        remove_material(study=copy)
        copy.delete()
        Worker.objects.filter(pk__in=people).delete()


@transaction.atomic
def remove_material(*, study: Study) -> None:
    """Delete sources, items, units, questions and whatever answers they have."""
    while _remove_sources(study, _SOURCES):
        pass
    study.subsets.all().delete()


def _remove_sources(study: Study, most: int) -> int:
    """Delete some sources with their units and answers; how many."""
    keys = list(study.sources.values_list("pk", flat=True)[:most])
    try:
        Source.objects.filter(pk__in=keys).delete()
    except ProtectedError as error:
        raise ImportFailure(
            f"study {study.slug}", "replace", "refused (work on it is on record)"
        ) from error
    return len(keys)


def remove_items(study: Study, keys: Collection[str], findings: Findings) -> int:
    """Take back items that were just imported: with their units, with what was made from them,
    and with sources that nothing else is about. Returns how many were made from them."""
    all_keys = set(keys)
    while more := _made_from(study, all_keys):
        all_keys |= more
    items = study.items.filter(key__in=all_keys)
    sources = list(items.values_list("source", flat=True))
    units = list(study.units.filter(items__in=items).distinct().prefetch_related("subsets"))
    for unit in units:
        findings.subsets.subtract(subset.name for subset in unit.subsets.all())
    questions = sum(unit.questions.count() for unit in units)
    removed = {"units": len(units), "questions": questions, "items": items.count()}
    findings.counts.subtract(removed)
    Unit.objects.filter(pk__in=[unit.pk for unit in units]).delete()
    items.delete()
    empty = Source.objects.filter(pk__in=sources, items=None)
    findings.counts["sources"] -= empty.count()
    empty.delete()
    return len(all_keys) - len(set(keys))


def _made_from(study: Study, keys: Collection[str]) -> set[str]:
    made = study.items.filter(perturbed_from__key__in=keys).exclude(key__in=keys)
    return set(made.values_list("key", flat=True))
