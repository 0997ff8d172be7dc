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
EXAMPLES = (
    "import_study politihop {data}/politihop/politihop_valid.tsv.gz --slug politihop",
    "apply_study examples/demo/study.yaml",
    "import_answers demo examples/demo/answers.jsonl",
    "judge demo lexical --wait",
    "apply_study examples/detection/study.yaml",
    "judge detection recorded --wait",
    "apply_study examples/fingract/study.yaml",
    "import_answers example-fingract examples/fingract/answers.jsonl",
    "judge example-fingract rubric --block rubric --wait",
    "judge example-fingract pipeline graded sampled panel --block holistic --wait",
    *(
        f"apply_study examples/{name}/study.yaml"
        for name in ("published", "likert", "ranking", "pairwise", "judges", "actionability")
    ),
    "apply_study examples/importance/study.yaml",
)
# The pictures of the page: a study, and the facet that is not its main one.
PICTURES = {"two-judges": "", "dialsumm": "", "utility": "", "lgbteen": ""}
SIZES = {"1280": (1280, 800), "768": (768, 1024), "360": (360, 740)}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
MOST_BYTES = 60_000


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
    for command in EXAMPLES:
        yield command.format(data=data)
    write_two_judges(made)
    yield f"import_study raters {made}/human.json {made}/llm.json --level nominal --slug two-judges"


def write_two_judges(folder: Path) -> None:
    """The made study of two judges."""
    from tests.results.two_judges import answers

    for name, given in zip(("human", "llm"), answers(), strict=True):
        (folder / f"{name}.json").write_text(json.dumps(given))


def load(data: Path, folder: Path) -> None:
    """Fill the data folder, and compute every report."""
    first = ("migrate", f"createsuperuser --noinput --username {SIGNED_IN_AS}")
    with tempfile.TemporaryDirectory() as made:
        for command in (*first, *loading(data, Path(made))):
            manage(folder, command)
    for slug in slugs(folder):
        manage(folder, f"report {slug} --table none")


def manage(folder: Path, command: str) -> str:
    """What a command prints. Some end with 1 by design, such as a run with failed calls."""
    environment = os.environ | {
        "JURYBOX_DATA": str(folder),
        "DJANGO_SUPERUSER_PASSWORD": SIGNED_IN_AS,
        "DJANGO_SUPERUSER_EMAIL": "gallery@example.org",
    }
    run = [*MANAGE, *shlex.split(command)]
    ended = subprocess.run(
        run, env=environment, cwd=ROOT, check=False, stdout=subprocess.PIPE, text=True
    )
    return ended.stdout
