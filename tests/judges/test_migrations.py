"""What a migration does to judges that are there."""

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.db import IntegrityError, transaction

from annotation.models import Study
from judges import migrations
from judges.models import Judge, JudgeRun
from tests.cast import make_study

pytestmark = pytest.mark.django_db


def judge(name: str, version: int = 1, **fields: Any) -> Judge:
    """A row as the pool of all studies had it."""
    own = {"method": "zero_shot", "fingerprint": f"{name}{version}", **fields}
    return Judge.objects.create(name=name, version=version, **own)


def answers(study: Study, used: Judge) -> JudgeRun:
    rater = study.raters.create(name=used.name, version=used.version, kind="judge")
    return JudgeRun.objects.create(study=study, judge=used, rater=rater)


def migrate() -> None:
    (file,) = Path(migrations.__path__[0]).glob("*_judges_of_studies.py")
    import_module(f"judges.migrations.{file.stem}").give_to_studies(apps, None)


def owners(name: str) -> list[tuple[str | None, int]]:
    rows = Judge.objects.filter(name=name).order_by("pk")
    return list(rows.values_list("study__slug", "version"))


def test_judges_go_to_the_studies_that_use_them_and_keep_their_numbers() -> None:
    first, second = make_study("first"), make_study("second", judges=[{"name": "drafted"}])
    shared, theirs = judge("shared", 3), judge("theirs", 2)
    runs = [answers(study, shared) for study in (second, first)]
    answers(second, theirs)
    judge("drafted", 5), judge("nobody's")
    migrate()
    assert owners("shared") == [("first", 3), ("second", 3)]
    assert (owners("theirs"), owners("drafted")) == ([("second", 2)], [("second", 5)])
    assert owners("nobody's") == []
    for run in runs:
        run.refresh_from_db()
        assert run.judge.study == run.study
        assert (run.rater.name, run.rater.version) == ("shared", 3)


def test_built_in_judges_stay_those_of_all_and_what_was_made_of_them_is_its_studys() -> None:
    study = make_study("fitted")
    judge("lexical", method="lexical")
    judge("embedding", method="embedding", model="all-MiniLM-L6-v2", parameters={"fit": None})
    fit = {"threshold": 0.3, "fit": {"study": "fitted"}}
    judge("embedding", 2, method="embedding", model="all-MiniLM-L6-v2", parameters=fit)
    answers(study, Judge.objects.get(name="lexical"))
    migrate()
    assert owners("lexical") == [(None, 1)]
    assert owners("embedding") == [(None, 1), ("fitted", 2)]


def test_what_was_taken_from_a_unit_stays_in_the_study_of_the_unit() -> None:
    make_study("attacker")
    make_study("home")
    taken = {"unit": "u", "study": "home", "payload": {"claim": "C"}, "answer": {"value": 1}}
    written = {"question": "Q?", "answer": "A"}
    leaked = judge("leaked", parameters={"examples": [taken, written]})
    answers(Study.objects.get(slug="attacker"), leaked)
    migrate()
    assert owners("leaked") == [("home", 1), ("attacker", 1)]
    mine, theirs = Judge.objects.filter(name="leaked").order_by("pk")
    assert mine.parameters["examples"] == [taken, written]
    assert theirs.parameters["examples"] == [{"unit": "(of another study)"}, written]
    assert theirs.fingerprint == mine.fingerprint


@pytest.mark.parametrize("slug", ["first", None])
def test_a_number_and_a_definition_occur_once_in_a_study_and_among_the_built_in(
    slug: str | None,
) -> None:
    study = make_study("first") if slug else None
    judge("a", study=study)
    for version, fingerprint in ((1, "other"), (2, "a1")):
        with pytest.raises(IntegrityError), transaction.atomic():
            judge("a", version, fingerprint=fingerprint, study=study)


def test_a_study_goes_with_its_judges_and_their_runs() -> None:
    study = make_study("first")
    answers(study, judge("a", study=study))
    study.delete()
    assert not Judge.objects.exists()
