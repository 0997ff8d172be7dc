"""Load the published data sets and the examples, and take pictures of what their first screens say.

`python -m docs.gallery DATA` fills an empty data folder by the commands of docs/reproduces.md and
examples/README.md, and writes the pictures of docs/results-gallery.md. With `--folder F` the data
are kept there, and loaded only where they are not yet; with `--all OUT` a picture of every set at
every size, in light and dark, goes to OUT.
"""

import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MANAGE = [sys.executable, str(ROOT / "manage.py")]
SIGNED_IN_AS = "gallery"
EXAMPLES: dict[str, tuple[str, ...]] = {
    "politihop": (
        "import_study politihop {data}/politihop/politihop_valid.tsv.gz --slug politihop",
    ),
    "demo": (
        "apply_study examples/demo/study.yaml",
        "import_answers demo examples/demo/answers.jsonl",
        "judge demo lexical --wait",
    ),
    "example-detection": (
        "apply_study examples/detection/study.yaml",
        "judge example-detection recorded --wait",
    ),
    "example-fingract": (
        "apply_study examples/fingract/study.yaml",
        "import_answers example-fingract examples/fingract/answers.jsonl",
        "judge example-fingract rubric --block rubric --wait",
        "judge example-fingract pipeline graded sampled panel --block holistic --wait",
    ),
    "example-published": ("apply_study examples/published/study.yaml",),
    "example-likert": ("apply_study examples/likert/study.yaml",),
    "example-ranking": ("apply_study examples/ranking/study.yaml",),
    "example-pairwise": ("apply_study examples/pairwise/study.yaml",),
    "example-judges": ("apply_study examples/judges/study.yaml",),
    "example-actionability": ("apply_study examples/actionability/study.yaml",),
    "example-importance": ("apply_study examples/importance/study.yaml",),
}


def loading(data: Path, made: Path) -> Iterator[str]:
    """The commands that load everything, in order."""
    from tests.published import CASES

    for case in CASES:
        if case.prepare is not None:
            case.prepare(data / case.key, made)
        for step in case.steps:
            for command in step.commands:
                if not command.startswith("report"):
                    yield command.format(data=data, made=made)
    for commands in EXAMPLES.values():
        for command in commands:
            yield command.format(data=data)


def load(data: Path, folder: Path) -> None:
    """Fill the data folder."""
    environment = os.environ | {
        "JURYBOX_DATA": str(folder),
        "DJANGO_SUPERUSER_PASSWORD": SIGNED_IN_AS,
        "DJANGO_SUPERUSER_EMAIL": "gallery@example.org",
    }
    first = ("migrate", f"createsuperuser --noinput --username {SIGNED_IN_AS}")
    with tempfile.TemporaryDirectory() as made:
        for command in (*first, *loading(data, Path(made))):
            subprocess.run([*MANAGE, *shlex.split(command)], env=environment, cwd=ROOT)
