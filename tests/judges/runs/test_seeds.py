"""The seeds of answers: the same in every database, so that paid replies can be used again."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings
from django.core.management import call_command

from annotation.models import Question, Study
from judges.models import Call, JudgeRun
from judges.runs.plans.asks import Seeds
from judges.runs.plans.plan import plan_run
from tests.cast import make_study
from tests.imports.small_files import record, write_lines
from tests.judges.endpoints import MODEL, Opening, asking_judge, by_blocks, write_endpoints
from tests.judges.scripted_judges import work_all
from tests.services.endpoint import Behaviour, serving

Manage = Callable[..., subprocess.CompletedProcess[str]]


def seed(question: Question, replicate: int = 0, **changes: Any) -> int:
    about: dict[str, Any] = {"run": 0, "study": "small", "judge": "asked", **changes}
    return Seeds(**about).of(question, replicate)


@pytest.mark.django_db
def test_every_answer_has_a_seed_of_its_own() -> None:
    first, second, *_ = Question.objects.filter(study=make_study()).order_by("pk")
    seeds = [
        seed(first),
        seed(second),
        seed(first, 1),
        seed(first, run=1),
        seed(first, study="other"),
        seed(first, judge="other"),
    ]
    assert len(set(seeds)) == len(seeds)
    assert seed(first) == seeds[0] < 2**31


@pytest.mark.django_db
def test_material_that_is_imported_again_is_not_paid_for_again(
    tmp_path: Path, endpoint: Opening
) -> None:
    server = endpoint(Behaviour(answer=by_blocks))
    for _ in range(2):
        Study.objects.all().delete()
        study = made_of_file(tmp_path)
        judge = asking_judge(study)
        run = work_all(plan_run(study=study, judge=judge, replicates=2))
        assert (run.state, run.n_calls) == ("complete", 24)
    assert len(server.asked) == 24
    assert run.spent == 0


@pytest.mark.django_db
def test_a_run_from_before_keeps_the_seeds_that_its_requests_had(endpoint: Opening) -> None:
    server = endpoint(Behaviour(answer=by_blocks))
    study = make_study()
    run = plan_run(study=study, judge=asking_judge(study), seed=5)
    JudgeRun.objects.update(seeds_by_id=True)
    work_all(run)
    first = Call.objects.select_related("question__unit", "question__block").earliest("pk")
    as_before = Seeds(5, "small", "asked", by_id=True).of(first.question, 0)
    assert as_before in [request["seed"] for request in server.asked]
    assert as_before != Seeds(5, "small", "asked").of(first.question, 0)


def made_of_file(folder: Path) -> Study:
    call_command("apply_study", str(study_file(folder)), verbosity=0)
    return Study.objects.get(slug="mills")


def study_file(folder: Path, slug: str = "mills") -> Path:
    write_lines(folder / "items.jsonl", [record(n) for n in range(3)])
    judge = {"name": "asked", "method": "zero_shot", "backend": "chat", "model": MODEL}
    blocks = [{"task_type": "citation_recovery"}, {"task_type": "slider"}]
    # As JSON in PostgreSQL, the verdicts are in another order.
    verdicts = {"true": "It holds.", "half-true": "Part of it holds.", "false": "It does not hold."}
    described: dict[str, Any] = {
        "slug": slug,
        "title": "Mills",
        "blocks": blocks,
        "items": "items.jsonl",
    }
    described |= {"instructions": "Read closely.", "verdicts": verdicts}
    file = folder / f"{slug}.yaml"
    file.write_text(yaml.safe_dump({**described, "judges": [judge]}), encoding="utf-8")
    return file


def in_installation(folder: Path, **environment: str) -> Manage:
    """Runs Python in an installation of its own: `python("manage.py", "check")`."""
    own = {
        "PATH": os.environ["PATH"],
        "JURYBOX_DATA": str(folder),
        "SECRET_KEY": "a key for tests alone",
        "DJANGO_SETTINGS_MODULE": "config.settings",
        **environment,
    }

    def python(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *arguments],
            env=own,
            cwd=settings.BASE_DIR,
            capture_output=True,
            text=True,
            check=True,
        )

    return python


# One process for several commands, each of them a list of words: to start one takes over a second.
ALL_OF = """
import json, sys
import django; django.setup()
from django.core.management import call_command
for command in json.loads(sys.argv[1]):
    call_command(*command)
"""


def all_of(folder: Path, **environment: str) -> Callable[..., str]:
    """Runs commands of the program one after the other in an installation; what they print."""
    python = in_installation(folder, **environment)

    def run(*commands: tuple[str, ...]) -> str:
        return python("-c", ALL_OF, json.dumps(commands)).stdout

    return run


@pytest.mark.services
def test_a_run_of_one_database_is_replayed_on_another_without_a_call(
    tmp_path: Path, postgres_url: str, put_migrated_database: Callable[[Path], None]
) -> None:
    put_migrated_database(tmp_path / "here")
    kept = str(tmp_path / "kept.json")
    apply = ("apply_study", str(study_file(tmp_path)))
    earlier = ("apply_study", str(study_file(tmp_path, slug="earlier")))  # other ids
    run = ("judge", "mills", "asked", "--replicates", "2", "--wait")
    with serving(Behaviour(answer=by_blocks)) as (server, url):
        endpoints = {"JUDGE_ENDPOINTS": str(write_endpoints(tmp_path / "endpoints.yaml", url))}
        here = all_of(tmp_path / "here", **endpoints)
        there = all_of(tmp_path / "there", DATABASE_URL=postgres_url, **endpoints)
        assert "asked@1: complete" in here(
            apply, run, ("dumpdata", "judges.cachedreply", "--output", kept)
        )
        paid = len(server.asked)
        assert "asked@1: complete" in there(("migrate",), earlier, apply, ("loaddata", kept), run)
    assert (paid, len(server.asked)) == (24, 24)
