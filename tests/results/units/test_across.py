"""From a correlation of people's answers with a judge's numbers in another facet to its units."""

import html
import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from annotation.models import Item, Member, Study, Unit, User
from tests.cast import join, make_study
from tests.results.answers import make_rater, questions, rate
from tests.results.dashboard.pages import address
from tests.sessions import as_user


def scored(*, in_both: bool = False) -> Study:
    """People rate four texts 1, 2, 3, 4; a metric, on a scale of its own, gives 10, 40, 30, 20."""
    people: tuple[str, dict[str, Any]] = ("slider", {"facet": "quality", "low": 0, "high": 5})
    line = {"facet": "metric", "low": 0, "high": 100, "compared_with": ["quality"]}
    study = make_study(sources=4, blocks=(people, ("slider", line)))
    Item.objects.filter(study=study).update(system="Alder")
    ada, metric = make_rater(study, "ada"), make_rater(study, "bart", "judge")
    for question, value in zip(questions(study), (1, 2, 3, 4), strict=True):
        rate(ada, question, value)
        if in_both:
            rate(metric, question, 5 - value)
    for question, value in zip(questions(study, block=1), (10, 40, 30, 20), strict=True):
        rate(metric, question, value)
    return study


def units_page(client: Client, study: Study, **asked: str) -> Any:
    return client.get(address(study, "units"), {"facet": "quality", **asked})


def test_units_are_listed_by_how_unlike_people_and_a_metric_rank_them(colleague: User) -> None:
    """Ranks of 0, 1, 2, 3 beside 0, 3, 2, 1, as shares of the 3 there can be between them."""
    study = scored()
    join(study, colleague, Member.Role.VIEWER)

    page = units_page(as_user(colleague), study, raters="humans~bart")

    lines = page.context["lines"]
    keys = dict(Unit.objects.filter(study=study).values_list("pk", "key"))
    assert [(keys[line.unit_id], line.disagreement) for line in lines] == [
        ("claim-1/alder/1", pytest.approx(2 / 3)),
        ("claim-3/alder/1", pytest.approx(2 / 3)),
        ("claim-0/alder/1", 0),
        ("claim-2/alder/1", 0),
    ]
    assert {line.answers for line in lines} == {2}
    assert [line.mean for line in lines] == [2, 4, 1, 3]  # of people alone
    assert "how far apart people and the judge rank the text" in page.content.decode()


def test_of_a_judge_with_answers_in_both_facets_the_address_says_which(colleague: User) -> None:
    study = scored(in_both=True)
    join(study, colleague, Member.Role.VIEWER)
    client = as_user(colleague)

    same = units_page(client, study, raters="humans~bart")
    other = units_page(client, study, raters="humans~bart", score_facet="metric")

    assert "how far apart people" not in same.content.decode()
    assert "how far apart people" in other.content.decode()
    assert units_page(client, study, raters="humans~nobody").status_code == 404


def links(client: Client, study: Study) -> set[str]:
    """The distinct addresses of units behind the numbers of the page of results."""
    text = client.get(address(study)).content.decode()
    return {html.unescape(link) for link in re.findall(r'href="([^"]*results/units/[^"]*)"', text)}


def test_every_number_of_an_imported_metric_leads_to_its_units(
    tmp_path: Path, colleague: User
) -> None:
    records = [
        {
            "source": source,
            "system_output": f"{source} by {system}",
            "system_id": system,
            "scores": {"coherence": score},
            "predict_scores": {"coherence": score * score / 10 + at, "overall": 1 / score},
        }
        for at, source in enumerate(("tram", "ferry"))
        for system, score in (("Alder", 1), ("Birch", 2), ("Elm", 4))
    ]
    file = tmp_path / "result.json"
    file.write_text(json.dumps(records))
    call_command("import_study", "unieval", str(file), slug="metric", verbosity=0)
    study = Study.objects.get(slug="metric")
    join(study, colleague, Member.Role.VIEWER)
    client = as_user(colleague)

    pairs = {link for link in links(client, study) if "~" in link}

    assert pairs
    listed = {link: client.get(link) for link in pairs}
    assert {link: page.status_code for link, page in listed.items()} == dict.fromkeys(pairs, 200)
    assert all(page.context["lines"] for page in listed.values())


@pytest.mark.parametrize("in_both", [False, True])
def test_every_number_between_two_facets_leads_to_its_units(
    colleague: User, *, in_both: bool
) -> None:
    study = scored(in_both=in_both)
    join(study, colleague, Member.Role.VIEWER)
    client = as_user(colleague)
    pairs = {link for link in links(client, study) if "~" in link}
    assert pairs
    assert {client.get(link).status_code for link in pairs} == {200}


@pytest.mark.parametrize(
    ("kind", "files"),
    [
        ("qags", ("mturk_cnndm.jsonl.gz", "unieval_qags_cnndm_result.json.gz")),
        ("unieval", ("unieval_qags_cnndm_result.json.gz",)),
    ],
)
def test_every_number_of_published_data_leads_to_its_units(
    shared_data: Path, colleague: User, kind: str, files: tuple[str, ...]
) -> None:
    folder = shared_data / "qags-cnndm"
    call_command(
        "import_study", kind, *(str(folder / name) for name in files), slug="q", verbosity=0
    )
    study = Study.objects.get(slug="q")
    join(study, colleague, Member.Role.VIEWER)
    client = as_user(colleague)
    addresses = links(client, study)
    assert any("~" in link for link in addresses)
    assert {client.get(link).status_code for link in addresses} == {200}
