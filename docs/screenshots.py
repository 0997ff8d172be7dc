"""Take the pictures of the README and the tutorial: `python -m docs.screenshots`, or
`make screenshots`.

Starts the demo on an empty data folder, walks through it with a Chromium, and writes
`docs/images/*.png`; then the test that walks through docs/tutorial.md takes the pictures of that
page, with `--tutorial` these alone. With `--gallery DATA` (a folder with one folder per published
data set) it takes those of docs/results-gallery.md instead; see `docs.gallery`.
"""

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize

from docs.gallery import take_pictures
from tests.desk.researcher import PICTURES
from tests.services.browser import chromium, follow
from tests.services.ports import free_port

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
MANAGE = [sys.executable, str(ROOT / "manage.py")]
DESKTOP: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 412, "height": 800}
JUDGED_WITHIN_S = 60
MOST_BYTES = 150_000
# Between the invitation link and the first question.
MOST_PAGES = 20
SLUG = "demo"
TUTORIAL = "tests/desk/test_from_nothing_browser.py"
# Of the stations of that test, those with a picture in the tutorial.
STATIONS = (
    "reading",
    "set-up",
    "control",
    "question",
    "overview",
    "results",
    "case",
    "share",
)
COLOURS = 48
# The demo of the pictures is embedded, whatever this shell is set to.
_SERVED = ("DATABASE_URL", "BROKER_URL")


@dataclass(frozen=True)
class Demo:
    """A running demo: its address, the worker's link, and the researcher's password."""

    url: str
    link: str
    password: str
    environment: dict[str, str]

    def manage(self, *command: str) -> str:
        """What a command prints."""
        return subprocess.check_output([*MANAGE, *command], env=self.environment, text=True)


@contextmanager
def demo() -> Iterator[Demo]:
    """The demo on an empty data folder, until the block ends."""
    with tempfile.TemporaryDirectory() as folder:
        port = str(free_port())
        plain = {name: value for name, value in os.environ.items() if name not in _SERVED}
        environment = {**plain, "JURYBOX_DATA": folder, "PORT": port}
        process = subprocess.Popen(
            [*MANAGE, "demo"], env=environment, stdout=subprocess.PIPE, text=True
        )
        try:
            announced = _announced(process)
            yield Demo(
                url=f"http://localhost:{port}",
                link=_after("open ", announced),
                password=_after("user researcher, password ", announced),
                environment=environment,
            )
        finally:
            process.send_signal(signal.SIGINT)
            process.wait()


def _announced(process: "subprocess.Popen[str]") -> str:
    """What the demo prints up to its last line."""
    assert process.stdout is not None
    lines: list[str] = []
    for line in process.stdout:
        lines.append(line)
        if "made up by a program" in line:
            return "".join(lines)
    raise RuntimeError("".join(["The demo did not start:\n", *lines]))


def _after(words: str, text: str) -> str:
    match = re.search(rf"{re.escape(words)}(\S+)", text)
    assert match, f"{words!r} in:\n{text}"
    return match[1]


def wait_for_the_judge(running: Demo) -> None:
    """Until the judge has answered every question."""
    for _ in range(JUDGED_WITHIN_S):
        if "complete" in running.manage("judge_runs", SLUG):
            return
        time.sleep(1)
    raise RuntimeError("The judge of the demo has not finished.")


def worker_question(browser: Browser, running: Demo) -> None:
    """The question as a worker meets it on a phone, with one sentence chosen."""
    page = browser.new_page(viewport=PHONE, color_scheme="light")
    page.goto(running.link)
    for _ in range(MOST_PAGES):
        if "/work/batch/" in page.url:
            break
        fill_in(page)
        follow(page.locator("main .button:not(.button--quiet):not(.button--link)").first)
    page.locator("#sentences label").nth(2).click()
    page.locator("#saved").get_by_text("Saved").wait_for()
    page.evaluate("scrollTo(0, document.querySelector('#sentences').offsetTop - 140)")
    save(page, "question")


def fill_in(page: Page) -> None:
    """What the pages before the first batch ask for: the consent, and tries at examples."""
    for box in page.locator("main input[type=checkbox][required]").all():
        box.check()
    for place in page.locator("#sentence-0:enabled").all():
        place.check()
    for scale in page.locator("#scale-range:enabled").all():
        scale.press("ArrowRight")


def researcher_pages(browser: Browser, running: Demo) -> None:
    """The study's page, and a unit with all answers side by side once results are counted."""
    page = browser.new_page(viewport=DESKTOP, color_scheme="light")
    page.goto(f"{running.url}/sign-in/")
    page.locator("input[name=username]").fill("researcher")
    page.locator("input[name=password]").fill(running.password)
    follow(page.get_by_role("button", name="Sign in", exact=True))
    page.goto(f"{running.url}/studies/{SLUG}/")
    save(page, "study")
    page.goto(f"{running.url}/studies/{SLUG}/results/")
    page.get_by_text("Newer answers are being counted").wait_for(state="hidden")
    page.goto(f"{running.url}/studies/{SLUG}/results/everything/")
    follow(page.locator('main td a[href*="/results/units/"]').first)
    follow(page.locator(f'main table a[href*="/studies/{SLUG}/units/"]').first)
    answers = page.get_by_role("heading", name="Citation recovery").first
    answers.evaluate("heading => heading.scrollIntoView()")
    save(page, "unit")


def save(page: Page, name: str) -> None:
    """The window as a PNG that is small enough for a README."""
    file = IMAGES / f"{name}.png"
    page.screenshot(path=file, animations="disabled", caret="hide")
    with Image.open(file) as picture:
        reduced = picture.convert("RGB").quantize(COLOURS)
    reduced.save(file, optimize=True)
    size = file.stat().st_size
    assert size < MOST_BYTES, f"{file} has {size} bytes"
    sys.stdout.write(f"{file.relative_to(ROOT)}: {size // 1000} kB\n")


def tutorial() -> None:
    """Let the test of docs/tutorial.md take its pictures; few colours make them small."""
    (IMAGES / "tutorial").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pytest", "-q", "--force-reruns", "0", TUTORIAL]
        subprocess.run(command, check=True, cwd=ROOT, env={**os.environ, PICTURES: folder})
        for station in STATIONS:
            file = IMAGES / "tutorial" / f"{station}.png"
            with Image.open(Path(folder, f"{station}.png")) as picture:
                picture.convert("RGB").quantize(COLOURS).save(file, optimize=True)
            size = file.stat().st_size
            assert size < MOST_BYTES, f"{file} has {size} bytes"
            sys.stdout.write(f"{file.relative_to(ROOT)}: {size // 1000} kB\n")


def main() -> None:
    """All pictures of the README and the tutorial, or all of the gallery."""
    parser = argparse.ArgumentParser(prog="python -m docs.screenshots", description=__doc__)
    parser.add_argument("--tutorial", action="store_true", help="those of docs/tutorial.md alone")
    parser.add_argument("--gallery", type=Path, help="folder with one folder per data set")
    parser.add_argument("--every", type=Path, help="where pictures of every first screen go")
    parser.add_argument("--kept", type=Path, help="data folder to fill once and use again")
    arguments = parser.parse_args()
    if arguments.gallery is not None:
        take_pictures(arguments.gallery, arguments.every, arguments.kept)
        return
    IMAGES.mkdir(exist_ok=True)
    if arguments.tutorial:
        tutorial()
        return
    with demo() as running, chromium() as browser:
        wait_for_the_judge(running)
        worker_question(browser, running)
        researcher_pages(browser, running)
    tutorial()


if __name__ == "__main__":
    main()
