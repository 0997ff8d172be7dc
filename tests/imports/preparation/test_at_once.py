"""Several people who decide about lists of one study at the same time."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone

from annotation.models import Assignment, Preparation, Study
from annotation.work.assignment import lease_batch
from imports.preparation.lists import accept, propose
from imports.preparation.units import Applied, NotPossible
from tests.annotation.workers import newcomer
from tests.imports.preparation.studies import (
    ERROR,
    claims_without_errors,
    proposed,
    target,
    unit_keys,
)

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(acts: Sequence[Callable[[], object]]) -> list[object]:
    """What each of them returned or raised, in connections of their own."""

    def tried(act: Callable[[], object]) -> object:
        try:
            return act()
        except NotPossible as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(tried, acts))


def accepting(row: Preparation) -> Callable[[], object]:
    """Accept the list as it is now, by a row of one's own."""
    own = Preparation.objects.with_names().get(pk=row.pk)
    return lambda: accept(preparation=own, version=own.version, by=None, now=timezone.now())


def test_a_list_is_accepted_once(tmp_path: Path) -> None:
    study = claims_without_errors(tmp_path)
    row = proposed(study, "mill-0", [ERROR])
    results = at_once([accepting(row) for _ in range(4)])
    assert sorted(type(result).__name__ for result in results) == ["Applied", *["JustChanged"] * 3]
    assert unit_keys(study) == {"mill-0/linked", "mill-0/plain", "mill-1/linked"}


def test_lists_of_two_blocks_are_both_applied(tmp_path: Path) -> None:
    blocks = [
        {"task_type": "actionability"},
        {"task_type": "importance", "options": {"parts": ["importance"], "claims": "prepared"}},
    ]
    study = claims_without_errors(tmp_path, blocks)
    errors, claims = study.blocks.order_by("position")
    rows = [
        propose(block=errors, target=target(study, "mill-0"), entries=[ERROR], provenance={}),
        *(
            propose(block=claims, target=target(study, key), entries=["A."], provenance={})
            for key in ("mill-0/plain", "mill-0/linked")
        ),
    ]
    results = at_once([accepting(row) for row in rows])
    assert all(isinstance(result, Applied) for result in results), results
    assert unit_keys(study) == {"mill-0/plain", "mill-0/linked"}
    for unit in study.units.all():
        assert (unit.focus["errors"], unit.focus["claims"]) == ([ERROR], ["A."])


def test_a_unit_is_either_changed_or_given_out(tmp_path: Path) -> None:
    study = claims_without_errors(tmp_path, consent={"text": "Fine."})
    study.state = Study.State.OPEN
    study.save()
    rows = [proposed(study, f"mill-{number}", [ERROR]) for number in range(2)]
    people = [newcomer(study) for _ in range(2)]
    acts = [accepting(row) for row in rows]
    acts += [lambda p=p: lease_batch(participation=p, now=timezone.now()) for p in people]  # type: ignore[misc]
    results = at_once(acts)
    for row, result in zip(rows, results, strict=False):
        linked = study.units.get(key=f"{row.key}/linked")
        listed = bool(linked.questions.get().payload["errors"])
        assert listed is isinstance(result, Applied)
    assert all(isinstance(result, Assignment) for result in results[2:])
