"""The tabs of results: what stands on which, for one facet, with filters carried along."""

import re
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Member, Study, User
from estimates.report.cache import report_of
from estimates.report.main_facet import main_facet
from results.dashboard import page_of, sections_of
from results.dashboard.panels import Panel, SectionPart, Tab
from results.dashboard.tabs import of_facet, parts_of
from results.tables.choice import PageFilter
from tests.cast import join, make_study
from tests.results.answers import choose, make_rater, questions, rate
from tests.results.dashboard.pages import address
from tests.sessions import as_user

TABS = [tab.value for tab in Tab]


def parts(study: Study, tab: Tab, facet: str = "", **chosen: Any) -> list[SectionPart]:
    choice = PageFilter(**chosen)
    report = report_of(study, choice.options)
    page = page_of(study, list(study.blocks.all()), report, choice)
    narrow = of_facet(page, main_facet(page.all_facets, study, report.rows, facet))
    return parts_of(narrow, sections_of(narrow), tab)


def panels(study: Study, tab: Tab, facet: str = "") -> dict[str, Panel]:
    return {panel.key: panel for part in parts(study, tab, facet) for panel in part.panels}


def kinds(study: Study, tab: Tab, facet: str = "") -> list[str]:
    return [drawing.kind for part in parts(study, tab, facet) for drawing in part.drawings]


def test_no_table_of_a_facet_is_lost_or_stands_on_two_tabs(answered: Study) -> None:
    page = page_of(answered, list(answered.blocks.all()), report_of(answered), PageFilter())
    every = [
        panel.key
        for section in sections_of(page)
        for part in section.parts
        for panel in part.panels
        if any(line.cells and not line.missing_reason for line in panel.grid.lines)
    ]
    on_tabs = [
        key
        for tab in Tab
        for key in {
            key for facet in ("recovery", "utility") for key in panels(answered, tab, facet)
        }
    ]

    assert sorted(on_tabs) == sorted(every)


def test_tables_stand_where_their_question_is(answered: Study) -> None:
    assert "among-recovery" in panels(answered, Tab.PEOPLE)
    assert "between-recovery" in panels(answered, Tab.JUDGES)
    assert "systems-f1-recovery" in panels(answered, Tab.SYSTEMS)
    assert "quality-recovery" in panels(answered, Tab.QUALITY)
    assert kinds(answered, Tab.PEOPLE)[0] == "heat"
    assert kinds(answered, Tab.JUDGES)[0] == "heat"
    assert "against" in kinds(answered, Tab.JUDGES)
    assert kinds(answered, Tab.SYSTEMS) == ["systems", "spread"]


def test_a_tab_shows_one_facet_and_offers_the_others(answered: Study, colleague: User) -> None:
    client = as_user(colleague)
    first = client.get(address(answered, "systems"))
    other = client.get(address(answered, "systems"), {"facet": "utility", "setting": "sample"})

    assert first.context["facet"].name == "recovery"
    keys = [part.key for part in first.context["parts"]]
    assert keys == ["findings-recovery", "all-systems-criteria"]
    keys = [part.key for part in other.context["parts"]]
    assert keys == ["findings-utility", "all-systems-criteria"]
    assert 'href="?facet=recovery&amp;setting=sample"' in other.content.decode()
    assert '<input type="hidden" name="facet" value="utility">' in other.content.decode()


def test_a_tab_opens_on_the_facet_that_the_summary_shows(answered: Study, colleague: User) -> None:
    answered.conclusions = [{"text": "Alder wins.", "metric": "utility/mean"}]
    answered.save()
    client = as_user(colleague)

    summary, tab = (client.get(address(answered, name)) for name in ("summary", "systems"))

    assert summary.context["screen"].facet == tab.context["facet"]
    assert tab.context["facet"].name == "utility"


def test_a_tab_begins_with_the_answer_of_the_first_screen_but_for_a_part_of_the_study(
    answered: Study, colleague: User
) -> None:
    client = as_user(colleague)
    cards = [shown.card for shown in client.get(address(answered, "summary")).context["cards"]]
    sentences = {card.key: card.answer.sentence for card in cards}

    for tab in ("people", "systems"):
        assert str(client.get(address(answered, tab)).context["answer"].sentence) == sentences[tab]
        assert client.get(address(answered, tab), {"system": "Alder"}).context["answer"] is None


@pytest.mark.parametrize("tab", [*TABS, "plan", "paper", "metrics"])
def test_every_page_links_all_others_with_the_filters_of_its_address(
    answered: Study, colleague: User, tab: str
) -> None:
    page = as_user(colleague).get(address(answered, tab), {"facet": "utility", "system": "Alder"})

    (nav,) = re.findall(r'<ul class="study-tabs__pages">.*?</ul>', page.content.decode(), re.DOTALL)
    links = [urlsplit(unescape(link)) for link in re.findall(r'href="([^"]*)"', nav)]
    paths = [link.path for link in links]
    for name in ("summary", *TABS, "plan", "paper"):
        link = links[paths.index(address(answered, name))]
        assert parse_qs(link.query) == {"facet": ["utility"], "system": ["Alder"]}
    assert nav.count('aria-current="page"') == (tab != "metrics")
    assert page.content.decode().count("js/tabs.js") == 1
    assert reverse("desk:study", args=[answered.slug]) in page.content.decode()


@pytest.mark.parametrize("tab", TABS)
def test_a_tab_says_why_it_is_empty_and_is_nothing_to_an_outsider(
    study: Study, colleague: User, outsider: User, tab: str
) -> None:
    page = as_user(colleague).get(address(study, tab))

    assert page.status_code == 200
    assert str(page.context["missing_reason"]) in page.content.decode() or page.context["parts"]
    assert as_user(outsider).get(address(study, tab)).status_code == 404
    assert Client().get(address(study, tab)).status_code == 302


def test_all_tables_on_one_page_are_a_link_away(answered: Study, colleague: User) -> None:
    page = as_user(colleague).get(address(answered, "people"), {"facet": "utility"})
    assert f'href="{address(answered, "dashboard")}?facet=utility"' in page.content.decode()


def test_no_tab_asks_more_of_the_database_when_there_is_more_to_show(owner: User) -> None:
    def queries(sources: int) -> list[int]:
        study = make_study(f"s{sources}", sources=sources)
        join(study, owner, Member.Role.OWNER)
        client = as_user(owner)
        for at in range(sources):
            rater = make_rater(study, f"worker-{at}")
            for question in questions(study):
                choose(rater, question, at % 3)
        client.get(address(study))  # computes the report
        counts = []
        for tab in TABS:
            with CaptureQueriesContext(connection) as captured:
                client.get(address(study, tab))
            counts.append(len(captured))
        return counts

    # From three sources on there are coefficients.
    assert queries(3) == queries(7)


def test_every_metric_of_a_table_has_its_help_on_the_page(answered: Study, colleague: User) -> None:
    for tab in TABS:
        text = as_user(colleague).get(address(answered, tab)).content.decode()
        wanted = re.findall(r'popovertarget="([^"]*)"', text)
        assert set(wanted) <= set(re.findall(r'id="([^"]*)" popover>', text))
        assert wanted or tab == "systems" or "table" not in text


def test_people_are_compared_with_people_among_people(db: None) -> None:
    study = make_study("named", sources=3, blocks=[("slider", {})])
    for name, kind in (("ada", "human"), ("bob", "human"), ("gpt", "judge")):
        rater = make_rater(study, name, kind)
        rater.origin = "imported"
        rater.save()
        for at, question in enumerate(questions(study)):
            rate(rater, question, 10.0 * at + len(name))

    (pair,) = panels(study, Tab.PEOPLE)["people-utility"].grid.lines
    judged = panels(study, Tab.JUDGES)["named-utility"].grid.lines

    assert pair.title == "bob with ada"
    assert all("gpt" in line.title for line in judged)


def test_a_warning_names_people_who_gave_the_same_answers(db: None) -> None:
    study = make_study("copied", sources=40, blocks=[("slider", {})])
    for name, step in (("ada", 1), ("bob", 1), ("cyd", 7)):
        rater = make_rater(study, name)
        for at, question in enumerate(questions(study)):
            rate(rater, question, float(at * step % 10))

    (part,) = [part for part in parts(study, Tab.PEOPLE) if part.warnings]

    assert part.warnings == ["ada and bob gave the same 40 answers: copied?"]


def test_who_departs_from_the_others_is_flagged_with_how_much_they_answered(db: None) -> None:
    study = make_study("odd", sources=12, blocks=[("slider", {})])
    for number in range(9):
        rater = make_rater(study, f"w{number}")
        for at, question in enumerate(questions(study)):
            value = 8.0 * at + number
            rate(rater, question, 100 - value if number == 8 else value)

    grid = panels(study, Tab.QUALITY)["quality-utility"].grid

    flags = {line.title: line.flag for line in grid.lines if line.flag}
    assert flags == {"w8": "unusual: agreement with the others, precision of the worker"}
    assert grid.counted


def test_reasons_are_said_once_and_tables_hold_numbers(answered: Study) -> None:
    for tab in Tab:
        for part in parts(answered, tab, "utility"):
            assert all(
                not line.missing_reason for panel in part.panels for line in panel.grid.lines
            )
            assert len(set(part.reasons)) == len(part.reasons)
