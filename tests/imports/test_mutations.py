"""Damaged and odd files of every format come in, or are refused with a sentence."""

import time
from collections import Counter
from pathlib import Path
from uuid import uuid4

import pytest

from annotation.models import Study
from files.errors import ImportFailure
from files.skipped import SkippedRecords
from imports.formats.contract import FormatInput
from imports.sandbox.limits import Limits
from imports.studies.importing import import_study
from tests.imports.mutations import FIXTURES, fixture, mutated

pytestmark = pytest.mark.django_db
# Of each of the 17, in the quick suite and in the slow one.
FEW, MANY = 3, 120
LIMITS = Limits(memory=512 * 2**20, cpu=20)
# What a process says that met what nobody foresaw. To end by a limit is allowed: arrays that are
# nested 200,000 levels deep take more memory than there is.
_UNFORESEEN = "file: cannot be read ("


def outcome(name: str, files: list[Path], limits: Limits | None = None) -> str:
    """`imported`, or the sentence of the refusal; any other exception is an error of ours."""
    given = FormatInput(
        files=files,
        skipped=SkippedRecords(strict=False),
        task_type=fixture(name).options.get("task_type", ""),
    )
    try:
        import_study(
            format_name=fixture(name).format_name,
            format_input=given,
            slug=f"s-{uuid4().hex}",
            limits=limits,
        )
    except ImportFailure as failure:
        assert not Study.with_unfinished.exists()
        return str(failure)
    Study.objects.all().delete()
    return "imported"


@pytest.mark.parametrize("name", FIXTURES)
def test_a_damaged_file_comes_in_or_is_refused_in_a_sentence(name: str, tmp_path: Path) -> None:
    for seed in range(FEW):
        folder = tmp_path / str(seed)
        folder.mkdir()
        said = outcome(name, mutated(name, seed, folder))
        assert said == "imported" or (said.count(": ") >= 2 and "\n" not in said), said


@pytest.mark.slow
@pytest.mark.parametrize("name", FIXTURES)
def test_no_damaged_file_is_one_that_nobody_foresaw(name: str, tmp_path: Path) -> None:
    counts: Counter[str] = Counter()
    began, unforeseen = time.monotonic(), []
    for seed in range(MANY):
        folder = tmp_path / str(seed)
        folder.mkdir()
        said = outcome(name, mutated(name, seed, folder), LIMITS)
        counts["imported" if said == "imported" else "refused"] += 1
        if _UNFORESEEN in said:
            unforeseen.append(f"{seed}: {said}")
    print(f"{name}: {dict(counts)}, {time.monotonic() - began:.0f} s")
    assert not unforeseen
