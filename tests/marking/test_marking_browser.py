"""Three people mark a file by their links in a real browser, and see nothing of the judge."""

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from django.urls import reverse
from playwright.sync_api import Page, Response, expect
from scipy import stats

from annotation.models import Study
from marking.material import BLOCK
from marking.outputs import Outputs
from marking.plans import Plan
from marking.studies import begin_for_oneself, colleagues_of, strata_of
from tests.annotation.views.worker_pages import saved
from tests.marking.files import marked_study, some_verdicts, write_table
from tests.marking.independent import agreement, ceiling, read_labels, recall
from tests.marking.people import mark_all
from tests.services.browser import follow, violations_in_both_schemes

pytestmark = pytest.mark.django_db(transaction=True)

# The judge's column, its reasons, how units are named, and how they were drawn.
NEVER = ("llm_says", "secret grounds", "stratum", "inclusion", "mark_place")
NUMBER = re.compile(r"It is number (\d+) of")
CONTINUE, SUBMIT, AGAIN = "Save and continue", "Submit", "Start another batch"


class Seen:
    """Every answer of the server that a browser got, by the verdict of the text on its page."""

    def __init__(self, verdicts: list[str]) -> None:
        self.verdicts = verdicts
        self.words: dict[str, set[tuple[int, int]]] = {"pass": set(), "fail": set()}
        self.headers: dict[str, set[tuple[str, ...]]] = {"pass": set(), "fail": set()}
        self.seconds: dict[str, list[float]] = {"pass": [], "fail": []}
        self.order: list[str] = []

    def take(self, response: Response) -> None:
        is_page = response.request.resource_type in ("document", "xhr", "fetch")
        if not is_page or not response.ok:
            return
        text, headers = response.text(), response.all_headers()
        for words in (text, response.url, json.dumps(headers)):
            for word in NEVER:
                assert word not in words, (word, response.url)
        assert not re.search(r"\bt\d+/1\b", text + response.url)
        if "/work/batch/" in response.url and (number := NUMBER.search(text)):
            if len(NUMBER.findall(text)) > 1 and "judged__text" not in text:
                return  # the list of all texts of a batch
            verdict = self.verdicts[int(number[1])]
            asked = text.partition("question__answer")[2].partition("</fieldset>")[0]
            self.words[verdict].add((asked.count("pass"), asked.count("fail")))
            self.headers[verdict].add(tuple(sorted(headers)))
            self.seconds[verdict].append(response.request.timing["responseStart"])
            self.order.append(verdict)


def mark_everything(page: Page, seen: Seen, says: Callable[[int], str]) -> int:
    """Mark all that this member is given; how many marks."""
    marks = 0
    follow(page.get_by_role("button", name="Start", exact=True))
    while True:
        if "/review/" in page.url:
            follow(page.get_by_role("button", name=SUBMIT))
            again = page.get_by_role("button", name=AGAIN)
            if not again.count():
                return marks
            follow(again)
            continue
        text = page.locator(".judged__text").inner_text()
        number = NUMBER.search(text)
        assert number is not None
        page.locator(f"input[name=score-{BLOCK}][value='{says(int(number[1]))}']").check()
        follow(page.get_by_role("button", name=CONTINUE))
        marks += 1


def enter(page: Page, study: Study, number: int) -> None:
    """Come by the link: the first member's opens at once, the others agree first."""
    if number == 1:
        page.goto(reverse("annotation:return", args=[begin_for_oneself(study).token]))
        return
    seat = colleagues_of(study)[number - 2]
    assert seat.invitation is not None
    page.goto(reverse("annotation:join", args=[seat.invitation.token]))
    follow(page.get_by_role("button", name="Continue"))
    page.get_by_label("I have read this").check()
    follow(page.get_by_role("button", name="Agree and continue"))


@pytest.mark.parametrize("texts", [9, pytest.param(60, marks=pytest.mark.slow)])
def test_three_people_mark_by_link_and_see_nothing_of_the_judge(
    texts: int, tmp_path: Path, new_page: Callable[..., Page]
) -> None:
    verdicts = some_verdicts(3 * texts)
    path = write_table(tmp_path / "results.csv", verdicts, "llm_says")
    study = marked_study(path, Plan(people=3, texts=texts, answers=2), judge="llm_says")
    seen, marks, rng = Seen(verdicts), 0, Random(8)

    def says(number: int) -> str:
        if rng.random() < 0.05:
            return "cannot say"
        truth = "pass" if number % 3 else "fail"
        return truth if rng.random() < 0.85 else "fail" if truth == "pass" else "pass"

    for number in (1, 2, 3):
        page = new_page()
        page.on("response", seen.take)
        enter(page, study, number)
        marks += mark_everything(page, seen, says)
    assert marks == 2 * texts
    assert seen.words["pass"] == seen.words["fail"] != set()
    assert seen.headers["pass"] == seen.headers["fail"]
    assert Counter(seen.order)["fail"] >= texts // 3
    if texts == 60:
        # Neither when a text comes nor how long its page takes tells its verdict.
        turns = {v: [n for n, said in enumerate(seen.order) if said == v] for v in ("pass", "fail")}
        assert stats.mannwhitneyu(turns["pass"], turns["fail"]).pvalue > 1e-4
        assert stats.mannwhitneyu(seen.seconds["pass"], seen.seconds["fail"]).pvalue > 1e-4
    compare_report(study, path, tmp_path)


def compare_report(study: Study, path: Path, folder: Path) -> None:
    """The report's figures and ranges are those of an independent computation."""
    said = list(Outputs(study, path, folder).write())
    told, rows = (
        json.loads((folder / "report.json").read_text()),
        read_labels(folder / "labels.csv"),
    )
    sizes = strata_of(study)
    assert told["strata"] == sizes

    def same(figure: dict[str, float], expected: tuple[float, float, float]) -> None:
        assert (figure["value"], figure["low"], figure["high"]) == pytest.approx(expected, abs=1e-6)

    same(told["agreement"], agreement(rows, sizes))
    same(told["people_among_themselves"], ceiling(rows, sizes))
    same(told["labels"]["fail"]["recall"], recall(rows, sizes, "fail"))
    same(told["labels"]["pass"]["recall"], recall(rows, sizes, "pass"))
    assert any("Two people say the same on" in line for line in said)


def test_marks_are_given_and_undone_by_keys_and_kept(
    tmp_path: Path, new_page: Callable[..., Page]
) -> None:
    path = write_table(tmp_path / "results.csv", some_verdicts(6))
    study = marked_study(path, Plan(texts=4))
    page = new_page()
    enter(page, study, 1)
    follow(page.get_by_role("button", name="Start", exact=True))
    page.keyboard.press("1")
    chosen = page.locator(".question__answer input[type=radio]:checked")
    expect(chosen).to_have_value("pass")
    with page.expect_navigation():
        page.keyboard.press("Control+Enter")
    follow(page.get_by_role("button", name="Back"))
    expect(chosen).to_have_value("pass")
    page.keyboard.press("3")
    expect(chosen).to_have_value("cannot say")
    saved(page)
    page.reload()
    expect(chosen).to_have_value("cannot say")
    assert violations_in_both_schemes(page) == []


def test_the_report_is_one_file_that_fits_a_phone(
    tmp_path: Path, new_page: Callable[..., Page]
) -> None:
    path = write_table(tmp_path / "results.csv", some_verdicts(30))
    study = marked_study(path, Plan(people=2, texts=12))
    mark_all(study, lambda member, unit: "pass" if member == 1 else "fail")
    list(Outputs(study, path, tmp_path).write())
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "src=" not in text
    assert "@import" not in text
    for width in (390, 1280):
        page = new_page(viewport={"width": width, "height": 900})
        page.set_content(text)
        expect(page.get_by_role("heading", level=1)).to_have_text("Marks for results.csv")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert violations_in_both_schemes(page) == []
