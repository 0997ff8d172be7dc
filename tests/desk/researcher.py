"""A researcher in a browser, whose clicks, typed fields and files are counted."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from playwright.sync_api import Locator, Page, ViewportSize

from tests.services.browser import axe_violations, follow, scrolls_sideways

SIZES: dict[str, ViewportSize] = {
    "1280": {"width": 1280, "height": 800},
    "768": {"width": 768, "height": 1024},
    "360": {"width": 360, "height": 740},
}
DESKTOP, PHONE = SIZES["1280"], SIZES["360"]
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
# A folder for pictures of every station; without it none are taken.
PICTURES = "PICTURES"
# What a study asks to be typed before it can open.
REQUIRED = {
    "Title": "Where does the citation belong?",
    "Ethics board": "Board of the faculty",
    "Number of the approval": "2026-1",
    "Contact for questions": "study@example.org",
    "Responsible for the data": "A university",
}


@dataclass
class Researcher:
    """One browser session. scripts: whether it runs scripts, which axe needs."""

    page: Page
    scripts: bool = True
    clicks: int = 0
    fields: int = 0
    files: int = 0
    stations: list[str] = field(default_factory=list)

    @property
    def counted(self) -> list[int]:
        """Clicks, typed fields and files so far."""
        return [self.clicks, self.fields, self.files]

    def link(self, name: str, *, exact: bool = False) -> Locator:
        """The first link of that name."""
        return self.page.get_by_role("link", name=name, exact=exact).first

    def button(self, name: str) -> Locator:
        """The button of exactly that name."""
        return self.page.get_by_role("button", name=name, exact=True)

    def press(self, target: Locator) -> None:
        """Press what leads to another page, and look whether everybody can use that page."""
        self.clicks += 1
        follow(target)
        self.check_page()

    def choose(self, target: Locator) -> None:
        """Tick a box or choose one of several."""
        self.clicks += 1
        target.check(force=True)

    def write(self, values: Mapping[str, str]) -> None:
        """Type into fields, by their labels."""
        for label, value in values.items():
            self.fields += 1
            self.page.get_by_label(label).first.fill(value)

    def upload(self, label: str, file: Path) -> None:
        """Choose a file: one click, and one in the browser's own window that is not counted."""
        self.clicks += 1
        self.files += 1
        self.page.get_by_label(label, exact=True).set_input_files(file)

    def tab(self, tab: str, entry: str = "") -> None:
        """Open a tab of the study, and the entry of that tab's own list."""
        navigation = self.page.get_by_role("navigation", name="Study")
        self.press(navigation.get_by_role("link", name=tab, exact=True).first)
        if entry:
            self.press(self.page.locator("nav").get_by_role("link", name=entry, exact=True).last)

    def check_page(self) -> None:
        """Assert that axe finds nothing and that the page fits its window."""
        if self.scripts:
            assert axe_violations(self.page) == [], self.page.url
            assert not scrolls_sideways(self.page), self.page.url

    def station(self, name: str, look_at: str = "", window: ViewportSize = DESKTOP) -> None:
        """Remember a station; where pictures are wanted, take them at every size and scheme.
        look_at: a selector of what the window of the last picture shows at its top."""
        self.stations.append(name)
        if os.environ.get(PICTURES):
            take_pictures(self.page, Path(os.environ[PICTURES]), name, look_at, window)


def take_pictures(page: Page, folder: Path, name: str, look_at: str, window: ViewportSize) -> None:
    """The whole page in every size and scheme, and one window in light."""
    before = page.viewport_size
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        for size, viewport in SIZES.items():
            page.set_viewport_size(viewport)
            file = folder / f"{name}-{size}-{scheme}.png"
            page.screenshot(path=file, full_page=True, animations="disabled", caret="hide")
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(window)
    if look_at:
        page.locator(look_at).first.evaluate("element => element.scrollIntoView()")
    page.screenshot(path=folder / f"{name}.png", animations="disabled", caret="hide")
    page.evaluate("scrollTo(0, 0)")
    if before is not None:
        page.set_viewport_size(before)


def make_study_from_table(
    researcher: Researcher, kind: str, table: Path, look: Callable[[str], None] = lambda name: None
) -> None:
    """From the list of studies to the checklist of a study of that kind of question."""
    researcher.press(researcher.link("New study"))
    look("new-study")
    researcher.press(researcher.page.get_by_role("button", name=kind))
    look("files")
    researcher.upload("Files", table)
    researcher.press(researcher.button("Upload"))
    look("reading")
    researcher.press(researcher.button("Continue"))
    researcher.write(REQUIRED)
    look("texts")
    researcher.press(researcher.button("Make the study"))
    look("set-up")


def add_controls(
    researcher: Researcher,
    answers: Mapping[str, str | None],
    look: Callable[[str], None] = lambda name: None,
) -> None:
    """Pick units of the table as controls. answers: unit, then the line of its right answer, or
    None where that stands there already."""
    researcher.press(researcher.link("Controls and examples"))
    look("units-to-pick")
    for unit, right in answers.items():
        if right is None:
            researcher.choose(researcher.page.get_by_label(f"Pick {unit}", exact=True))
        else:
            researcher.write({f"Right answer for {unit}": right})
    look("control")
    researcher.press(researcher.button("Save"))


def choose_judge(
    researcher: Researcher, judge: str, look: Callable[[str], None] = lambda name: None
) -> None:
    """Let a judge answer, too."""
    researcher.tab("Judges")
    researcher.choose(researcher.page.get_by_label(judge))
    look("judges")
    researcher.press(researcher.button("Save"))
