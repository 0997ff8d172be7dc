"""A judge of ours as a scorer of inspect_ai, and its log back in."""

import importlib.util
import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from annotation.models import Study
from tests.imports import formats
from tests.imports.tables import answers_of, import_files

FOLDER = Path(formats.__file__).parent / "foreign" / "inspect_judge"
ROOT = Path(settings.BASE_DIR)


def python_with_inspect() -> Path | None:
    """A Python that has inspect_ai: this one, that of the benches, or one that is named."""
    if importlib.util.find_spec("inspect_ai"):
        return Path(sys.executable)
    named = os.environ.get("INSPECT_PYTHON", "")
    found = (Path(named) if named else ROOT / "var/bench/inspect/bin/python").absolute()
    return found if found.is_file() else None


PYTHON = python_with_inspect()
needs_inspect = pytest.mark.skipif(
    PYTHON is None, reason="no inspect_ai here (`make bench`, or INSPECT_PYTHON=…/bin/python)"
)


def run(script: str, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A script where inspect_ai is installed, with this checkout on the path."""
    path = os.pathsep.join([str(ROOT), sysconfig.get_path("purelib")])
    environment = {k: v for k, v in os.environ.items() if not k.startswith("DJANGO")}
    environment |= {"PYTHONPATH": path, "JURYBOX_DATA": str(folder / "data")}
    command = [str(PYTHON), script, *arguments]
    return subprocess.run(
        command,
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def assert_is_what_inspect_reports(study: Study, report: dict[str, Any]) -> None:
    strict = [answer["scores"]["says_when"] for answer in answers_of(study, "strict").values()]
    assert len(strict) == report["strict"]["scored"]
    assert sum(strict) / len(strict) == report["strict"]["mean"]
    said = answers_of(study, "stylist")
    clarity = [a["scores"]["clarity"] for unit, a in said.items() if unit.endswith(" clarity")]
    assert sum(clarity) / len(clarity) == report["clarity"]["mean"]
    tones = [a["scores"]["tone"] for unit, a in said.items() if unit.endswith(" tone")]
    assert tones.count("dry") / len(tones) == report["tone=dry"]["mean"]
    reasons = study.annotations.filter(rater__name="strict").values_list("reasons", flat=True)
    assert list(reasons) == [["I looked."]] * 2


@pytest.mark.django_db
def test_a_log_that_our_judges_scored_comes_back_with_their_answers() -> None:
    study = import_files("inspect", FOLDER / "hours.eval")
    assert_is_what_inspect_reports(study, json.loads((FOLDER / "report.json").read_text()))
    assert study.imported["counts"]["units"] == 3


@needs_inspect
@pytest.mark.django_db
def test_inspect_ai_scores_by_a_judge_of_ours_and_its_log_comes_back(tmp_path: Path) -> None:
    done = run(str(FOLDER / "make.py"), str(tmp_path), folder=tmp_path)
    assert done.returncode == 0, done.stderr
    # No folder of data, no database, no key.
    assert not (tmp_path / "data").exists()
    report = json.loads((tmp_path / "report.json").read_text())
    assert report == json.loads((FOLDER / "report.json").read_text())
    study = import_files("inspect", tmp_path / "hours.eval")
    assert_is_what_inspect_reports(study, report)


@needs_inspect
@pytest.mark.parametrize(
    ("call", "message"),
    [
        (f"judge_scorer({str(FOLDER / 'study.yaml')!r})", "judge: name one that the study file"),
        ("judge_scorer('nothing.yaml')", "nothing.yaml: "),
        (
            f"judge_scorer({str(FOLDER / 'study.yaml')!r}, material={{'passage': 'x'}})",
            "material: 'passage' is none of claim, document, query, verdict",
        ),
    ],
)
def test_what_cannot_score_is_said_in_a_line(call: str, message: str, tmp_path: Path) -> None:
    script = tmp_path / "task.py"
    script.write_text(f"from jurybox.scorers import judge_scorer\n{call}\n", encoding="utf-8")
    done = run(str(script), folder=tmp_path)
    assert done.returncode == 1
    last = done.stderr.strip().splitlines()[-1]
    assert message in last


@needs_inspect
def test_the_evaluation_keeps_its_path_environment_and_logging(tmp_path: Path) -> None:
    script = tmp_path / "task.py"
    study = str(FOLDER / "study.yaml")
    lines = (
        "import logging, os, sys",
        "from jurybox.scorers import judge_scorer",
        "before = dict(os.environ), list(sys.path), list(logging.root.handlers)",
        f"judge_scorer({study!r}, 'strict', block='when', model='mockllm/model')",
        "assert before == (dict(os.environ), sys.path, logging.root.handlers)",
    )
    script.write_text("\n".join(lines), encoding="utf-8")
    done = run(str(script), folder=tmp_path)
    assert done.returncode == 0, done.stderr


@needs_inspect
def test_a_module_with_the_name_of_a_package_of_ours_is_named(tmp_path: Path) -> None:
    (tmp_path / "results.py").write_text("", encoding="utf-8")
    script = tmp_path / "task.py"
    script.write_text(
        "import results\nfrom jurybox.scorers import judge_scorer\n"
        f"judge_scorer({str(FOLDER / 'study.yaml')!r}, 'strict')\n",
        encoding="utf-8",
    )
    done = run(str(script), folder=tmp_path)
    assert "a module 'results' of this evaluation has the name" in done.stderr
