"""Where the program asks for something in which databases differ, and which tests ask it again."""

from pathlib import Path

import pytest
from django.conf import settings

from jurybox.packages import PACKAGES
from tests.peculiar import TESTS, is_peculiar, subjects

ROOT: Path = settings.BASE_DIR
MOST_BY_ADDRESSES = 30


@pytest.mark.parametrize(
    "code",
    [
        "from django.db import transaction",
        "from django.db.models import Exists, QuerySet",
        "rows.select_for_update()",
        "Study.objects.filter(title__icontains=word)",
        'Q(**{f"{name}__has_key": word})',
        "models.UniqueConstraint(fields=[])",
    ],
)
def test_such_code_asks_for_something_in_which_databases_differ(code: str, tmp_path: Path) -> None:
    assert asks(code, tmp_path)


@pytest.mark.parametrize(
    "code",
    [
        "from django.db import models",
        "from django.db.models import Prefetch, Q, QuerySet",
        'Study.objects.filter(Q(slug="s") | Q(state=state)).order_by("pk")',
        '"a word that contains another"',
    ],
)
def test_such_code_asks_for_what_every_database_answers_alike(code: str, tmp_path: Path) -> None:
    assert not asks(code, tmp_path)


def asks(code: str, folder: Path) -> bool:
    module = folder / "module.py"
    module.write_text(code, encoding="utf-8")
    return is_peculiar(module)


def test_a_file_of_tests_is_about_the_module_of_its_name_and_what_it_takes_from_beside_it() -> None:
    about = names(subjects(TESTS / "annotation" / "work" / "test_submission.py"))
    assert {"annotation/work/submission.py", "annotation/work/ledger.py"} <= about
    assert all(name.startswith("annotation/work/") for name in about)


def test_a_file_of_tests_that_takes_nothing_from_beside_it_goes_by_addresses() -> None:
    assert not subjects(TESTS / "desk" / "test_pages.py")


def test_no_more_such_modules_than_today_are_asked_by_addresses_alone() -> None:
    """A new one gets a file of tests of its name, which then runs on both databases."""
    covered = {module for test in TESTS.rglob("test_*.py") for module in subjects(test)}
    modules = [
        module
        for package in PACKAGES
        for module in (ROOT / package).rglob("*.py")
        if "migrations" not in module.parts and is_peculiar(module)
    ]
    assert len(modules) > 150
    assert len(alone := names(set(modules) - covered)) <= MOST_BY_ADDRESSES, alone


def names(modules: set[Path] | frozenset[Path]) -> set[str]:
    return {module.relative_to(ROOT).as_posix() for module in modules}
