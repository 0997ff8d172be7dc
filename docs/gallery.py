"""Load the published data sets and the examples, and take pictures of their first screens.

`python -m docs.screenshots --gallery DATA` fills an empty data folder by the commands of
docs/reproduces.md and examples/README.md, writes the pictures of docs/results-gallery.md, and
prints what every first screen says. With `--every OUT` a picture of each at every size, in light
and dark, goes to OUT.
"""

import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import django
from playwright.sync_api import Browser, Page

from tests.services.browser import chromium, follow
from tests.services.ports import free_port

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images" / "gallery"
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
# The studies with a picture in docs/results-gallery.md.
PICTURES = ("two-judges", "dialsumm", "utility", "10k-prompts")
SIZES = {"1280": (1280, 800), "768": (768, 1024), "360": (360, 740)}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
# The cards alone, at this share of their size, and how large the file may be.
SHARE, MOST_BYTES = 0.6, 60_000
STARTS_WITHIN_S = 60


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


def load(data: Path, folder: Path) -> list[str]:
    """Fill the data folder, unless it was filled before, and compute every report; the slugs of
    the studies."""
    filled = any(folder.glob("*.sqlite3"))
    manage(folder, "migrate")
    if not filled:
        manage(folder, f"createsuperuser --noinput --username {SIGNED_IN_AS}")
        with tempfile.TemporaryDirectory() as made:
            for command in loading(data, Path(made)):
                manage(folder, command)
    slugs = manage(folder, f"shell --no-imports -c {shlex.quote(SLUGS)}").split()
    for slug in slugs:
        manage(folder, f"report {slug}")
    return slugs


SLUGS = """
from annotation.models import Study
print(*Study.objects.order_by("pk").values_list("slug", flat=True))
"""


def manage(folder: Path, command: str) -> str:
    """What a command prints. A judge whose recorded replies lack one ends with 1, by design."""
    ended = subprocess.run(
        [*MANAGE, *shlex.split(command)],
        env=_environment(folder),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=not command.startswith("judge "),
    )
    return ended.stdout


def _environment(folder: Path) -> dict[str, str]:
    return os.environ | {
        "JURYBOX_DATA": str(folder),
        "DEBUG": "true",  # serves static files as they are
        "DJANGO_SUPERUSER_PASSWORD": SIGNED_IN_AS,
        "DJANGO_SUPERUSER_EMAIL": "gallery@example.org",
    }


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """The address of a server with that data, until the block ends."""
    port = free_port()
    run = [*MANAGE, "runserver", "--noreload", f"127.0.0.1:{port}"]
    server = subprocess.Popen(
        run, env=_environment(folder), cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT
    )
    try:
        url = f"http://localhost:{port}"
        _wait_for(f"{url}/healthz")
        yield url
    finally:
        server.terminate()
        server.wait()


def _wait_for(url: str) -> None:
    for _ in range(STARTS_WITHIN_S):
        try:
            urllib.request.urlopen(url)
        except urllib.error.URLError:
            time.sleep(1)
        else:
            return
    raise RuntimeError("The server has not started.")


def take_pictures(data: Path, every: Path | None, kept: Path | None) -> None:
    """The pictures of the page; of every study at every size where a folder is named for them.
    kept: a data folder that is filled once and used again."""
    with tempfile.TemporaryDirectory() as name:
        folder = kept or Path(name)
        # The cases below import models, whose settings look for a data folder.
        os.environ |= {"DJANGO_SETTINGS_MODULE": "config.settings", "JURYBOX_DATA": str(folder)}
        django.setup()
        slugs = load(data, folder)
        with serving(folder) as url, chromium() as browser:
            page = _signed_in(browser, url, SHARE)
            for slug in slugs:
                page.goto(f"{url}/studies/{slug}/results/")
                _tell(page, slug)
                if slug in PICTURES:
                    _save_cards(page, slug)
            if every is not None:
                _save_every(_signed_in(browser, url, 1), url, slugs, every)


def _signed_in(browser: Browser, url: str, share: float) -> Page:
    context = browser.new_context(
        viewport={"width": 1280, "height": 800}, device_scale_factor=share, color_scheme="light"
    )
    page = context.new_page()
    page.goto(f"{url}/sign-in/")
    for name in ("username", "password"):
        page.locator(f"input[name={name}]").fill(SIGNED_IN_AS)
    follow(page.locator("main form button"))
    return page


def _tell(page: Page, slug: str) -> None:
    """What the cards say, as text."""
    told = [f"{slug}:", *page.locator(".answer__sentence").all_inner_texts()]
    sys.stdout.write("\n  ".join(told) + "\n")


def _save_cards(page: Page, slug: str) -> None:
    IMAGES.mkdir(parents=True, exist_ok=True)
    file = IMAGES / f"{slug}.png"
    page.locator(".answers").screenshot(path=file, animations="disabled")
    size = file.stat().st_size
    assert size < MOST_BYTES, f"{file} has {size} bytes"


def _save_every(page: Page, url: str, slugs: list[str], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for slug in slugs:
        for size, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            for scheme in SCHEMES:
                page.emulate_media(color_scheme=scheme)
                page.goto(f"{url}/studies/{slug}/results/")
                page.screenshot(path=folder / f"{slug}-{size}-{scheme}.png", full_page=True)
