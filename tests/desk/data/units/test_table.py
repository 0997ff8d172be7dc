"""The table of all units: who sees it, what its filters leave, its order, its pages, its views."""

from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import Item, Member, Place, Round, Study, Unit, UnitItem, User
from annotation.work.demand import prioritise_units, retire_units
from annotation.work.submission import submit
from desk.data.adjudication.queue import send_to_adjudication
from desk.data.units import search
from desk.data.units.lines import lines_of
from desk.data.units.search import keep_texts
from desk.data.units.table import UnitTable
from desk.models import SavedView
from jobs.models import Job
from jobs.runner import work
from results.models import UnitDistance
from tasktypes.texts.material import NO_TEXT
from tests.annotation.workers import answer_all, lease, newcomer
from tests.cast import add_units, join, make_study, make_user
from tests.results.answers import disagree

Role = Member.Role


def address(study: Study, query: str = "") -> str:
    return f"{reverse('desk:units', args=[study.slug])}?{query}"


def listed(study: Study, query: str = "") -> list[str]:
    """The keys of the units on the page of that address, in order."""
    keys = UnitTable(study, QueryDict(query)).slice.keys
    units = study.units.in_bulk(keys)
    return [units[key].key for key in keys]


def key(number: int) -> str:
    return f"claim-{number}/alder/1"


def test_an_outsider_sees_no_units_and_changes_none(
    client: Client, study: Study, outsider: User
) -> None:
    client.force_login(outsider)
    unit = study.units.earliest("pk")
    for page in (address(study), reverse("desk:unit", args=[study.slug, unit.pk])):
        assert client.get(page).status_code == 404
    for name in ("save-view", "propose-unit-action"):
        assert client.post(reverse(f"desk:{name}", args=[study.slug])).status_code == 404


def test_a_viewer_sees_all_units_and_nothing_to_change_them(
    client: Client, study: Study, colleague: User
) -> None:
    client.force_login(colleague)
    page = client.get(address(study)).content.decode()
    assert all(unit.key in page for unit in study.units.all())
    assert "Disable" not in page
    acting = reverse("desk:propose-unit-action", args=[study.slug])
    assert client.post(acting, {"kind": "retire", "of": "all"}).status_code == 403


def test_the_units_are_the_first_page_of_the_data(
    client: Client, study: Study, owner: User
) -> None:
    client.force_login(owner)
    page = client.get(reverse("desk:study", args=[study.slug])).content.decode()
    assert f'<a href="{reverse("desk:units", args=[study.slug])}">Data</a>' in page


@pytest.mark.both_databases
@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("", [0, 1, 2]),
        ("q=%22NUMBER+1%22", [1]),  # a phrase of the claim, in any case
        ("q=closed+2", [2]),  # words of an output and of the key
        ("q=claim-0", [0]),
        ("q=bridge+nowhere", []),
        ("q=%25", []),  # no character stands for others
        ("q=claim_0", []),
        (r"q=claim\-0", []),
        ("system=alder", [1]),
        ("source=claim-2", [2]),
        ("subset=full", [0, 1, 2]),
        ("role=positive", []),
        ("state=open", [1, 2]),
        ("state=retired", [0]),
        ("state=complete", []),
        ("state=nowhere", []),
        ("state=gold", []),
        ("priority=2", [2]),
        ("most=0", [0, 1, 2]),
        ("least=1", []),
        ("problem=no", [0, 1, 2]),
        ("problem=yes", []),
        ("sort=-key", [2, 1, 0]),
        ("sort=-priority", [2, 1, 0]),
        ("role=unheard-of", [0, 1, 2]),  # what does not fit is left out
        ("after=nonsense&sort=answers", [0, 1, 2]),
    ],
)
def test_filters_and_orders_leave_these_units(study: Study, query: str, numbers: list[int]) -> None:
    keep_texts(study=study)
    first, _, last = study.units.order_by("pk").values_list("pk", flat=True)
    retire_units(study=study, units=[first])
    prioritise_units(study=study, units=[last], priority=Place.Priority.FIRST)
    assert listed(study, query) == [key(number) for number in numbers]


def test_more_units_than_are_kept_by_key_are_searched_all_the_same(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_texts(study=study)
    searches = ("q=claim", "q=number+claim&sort=-key", "q=closed+2", "q=nowhere")
    by_key = [listed(study, query) for query in searches]
    monkeypatch.setattr(search, "MOST_KEYS", 1)
    assert [listed(study, query) for query in searches] == by_key
    assert by_key[:2] == [[key(n) for n in (0, 1, 2)], [key(n) for n in (2, 1, 0)]]


def test_many_texts_are_read_for_the_search_by_a_worker(
    client: Client, study: Study, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "AT_ONCE", 1)
    client.force_login(owner)
    for _ in range(2):
        page = client.get(address(study, "q=claim")).content.decode()
        assert "are being indexed" in page
    assert work(job_id=Job.objects.get().pk)
    page = client.get(address(study, "q=claim")).content.decode()
    assert "are being indexed" not in page
    assert key(0) in page


def test_units_are_found_by_their_answers_problems_and_cases(study: Study, owner: User) -> None:
    batch = answer_all(lease(newcomer(study)))
    met = [row.unit for row in batch.assignment_units.order_by("unit")]
    batch.assignment_units.filter(unit=met[0]).update(problem="The text is cut off.")
    submit(assignment=batch, now=timezone.now())
    send_to_adjudication(study=study, units=[met[1]], by=owner)
    assert sorted(listed(study, "least=1")) == sorted(unit.key for unit in met)
    assert listed(study, "problem=yes") == [met[0].key]
    assert listed(study, "state=adjudication") == [met[1].key]
    assert listed(study, "least=2") == []


def test_units_are_found_by_how_far_people_are_apart(
    client: Client, study: Study, owner: User
) -> None:
    client.force_login(owner)
    disagree(study)
    assert client.get(address(study)).status_code == 200  # which counts a small study
    rows = {row.unit.key: row for row in _distances(study)}
    far = max(rows.values(), key=lambda row: row.distance or 0)
    assert far.distance is not None
    assert 0 < far.distance <= 1
    assert far.unit.key in listed(study, f"apart={far.distance}")
    assert listed(study, "sort=-apart")[0] == far.unit.key


def _distances(study: Study) -> Any:
    return UnitDistance.objects.filter(study=study, rater=None).select_related("unit")


@pytest.mark.both_databases
@pytest.mark.parametrize("sort", ["", "-", "key", "-key", "answers", "-answers", "-apart"])
def test_going_on_and_back_meets_every_unit_once(study: Study, sort: str) -> None:
    add_units(study, study.rounds.get(), [(n, Unit.Role.NORMAL) for n in range(3, 120)])
    Place.objects.filter(unit__in=study.units.order_by("pk")[40:80]).update(counted=1)
    table = UnitTable(study, QueryDict(f"sort={sort}"))
    met: list[int] = []
    back: list[int] = []
    while True:
        met += table.slice.keys
        if "after" not in table.pages:
            break
        table = UnitTable(study, QueryDict(table.pages["after"]))
    assert len(met) == len(set(met)) == 120
    assert table.first_number == 101
    while True:
        back = [*table.slice.keys, *back]
        if "before" not in table.pages:
            break
        table = UnitTable(study, QueryDict(table.pages["before"]))
    assert back == met
    assert UnitTable(study, QueryDict(f"sort={sort}&end=1")).slice.keys == met[-50:]


def test_a_row_shows_what_is_judged(study: Study) -> None:
    first, second, third = study.units.order_by("pk")
    said = {first: ["The bridge closed.", "It reopened later."], second: [NO_TEXT]}
    for unit, texts in said.items():
        sentences = [{"text": text, "citations": []} for text in texts]
        Item.objects.filter(units=unit).update(sentences=sentences)
    for position in (1, 2, 3):
        item = Item.objects.create(
            study=study,
            source=third.source,
            key=f"more-{position}",
            sentences=[{"text": f"Output {position}. " + "long " * 100, "citations": []}],
        )
        UnitItem.objects.create(unit=third, item=item, position=position)
    lines = lines_of(study, [first.pk, second.pk, third.pk])
    assert lines[0].about == ["The bridge closed. It reopened later."]
    assert lines[1].about == [second.source.claim]  # the output's text is not in the file
    assert [text[:8] for text in lines[2].about[1:]] == ["Output 1", "Output 2", "…"]
    assert len(lines[2].about[1]) == 160


def test_the_page_takes_as_many_queries_for_fifty_units_as_for_three(
    client: Client, study: Study, owner: User, django_assert_max_num_queries: Any
) -> None:
    client.force_login(owner)
    client.get(address(study))
    add_units(study, study.rounds.get(), [(n, Unit.Role.NORMAL) for n in range(3, 60)])
    with django_assert_max_num_queries(27):
        page = client.get(address(study, "col=rounds&col=subsets&col=judges&col=state"))
    assert page.content.decode().count('<th scope="row">') == 50


def test_a_view_is_saved_shared_opened_and_removed(
    client: Client, study: Study, owner: User, colleague: User
) -> None:
    client.force_login(owner)
    saving = reverse("desk:save-view", args=[study.slug])
    query = "state=open&sort=-answers&at=51&col=role"
    client.post(saving, {"name": "To do", "query": query, "shared": "on"})
    client.post(saving, {"name": "Mine", "query": ""})
    view = SavedView.objects.get(name="To do")
    assert view.query == "state=open&sort=-answers&col=role"  # not the place in it
    client.force_login(colleague)
    page = client.get(address(study)).content.decode()
    assert "To do" in page
    assert ">Mine</a>" not in page
    removing = reverse("desk:remove-view", args=[study.slug, view.pk])
    assert client.post(removing).status_code == 403
    client.post(saving, {"name": "All", "query": "q=bridge", "shared": "on"})
    assert not SavedView.objects.get(name="All").shared  # a viewer's are their own
    client.force_login(owner)
    client.post(removing)
    assert not SavedView.objects.filter(name="To do").exists()


def test_a_name_is_replaced_by_the_same_persons_newer_view(
    client: Client, study: Study, owner: User
) -> None:
    client.force_login(owner)
    saving = reverse("desk:save-view", args=[study.slug])
    for query in ("role=normal", "role=positive"):
        client.post(saving, {"name": "Roles", "query": query})
    assert SavedView.objects.get().query == "role=positive"


def test_a_unit_shows_its_answers_places_and_neighbours_in_the_list(
    client: Client, study: Study, owner: User
) -> None:
    client.force_login(owner)
    batch = submit(assignment=answer_all(lease(newcomer(study))), now=timezone.now())
    first, middle, last = study.units.order_by("pk")
    page = client.get(reverse("desk:unit", args=[study.slug, middle.pk]) + "?sort=-key")
    text = page.content.decode()
    for beside in (first, last):
        assert f"{reverse('desk:unit', args=[study.slug, beside.pk])}?sort=-key" in text
    assert "As workers see it" in text
    assert batch.round.name in text


def test_a_unit_takes_as_many_queries_for_more_answers(
    client: Client, study: Study, owner: User, django_assert_max_num_queries: Any
) -> None:
    client.force_login(owner)
    for _ in range(2):
        submit(assignment=answer_all(lease(newcomer(study))), now=timezone.now())
    unit = study.units.earliest("pk")
    with django_assert_max_num_queries(36):
        client.get(reverse("desk:unit", args=[study.slug, unit.pk]))


def test_a_reviewer_alone_reads_who_reported_a_problem(
    client: Client, study: Study, owner: User, colleague: User
) -> None:
    batch = lease(newcomer(study))
    row = batch.assignment_units.earliest("pk")
    row.problem = "The text is cut off."
    row.save()
    page = reverse("desk:unit", args=[study.slug, row.unit_id])
    for user, sees in ((owner, True), (colleague, False)):
        client.force_login(user)
        assert ("The text is cut off." in client.get(page).content.decode()) == sees


def test_units_of_several_rounds_are_found_by_each(study: Study) -> None:
    pilot = Round.objects.create(study=study, position=1, name="pilot")
    unit = study.units.earliest("pk")
    Place.objects.create(
        round=pilot, unit=unit, source=unit.source, role=unit.role, wanted=1, shuffle=1
    )
    assert listed(study, f"round={pilot.pk}") == [unit.key]
    assert unit.key in listed(study, f"round={study.rounds.get(name='main').pk}")


def test_another_studys_unit_is_not_there(client: Client, study: Study, owner: User) -> None:
    client.force_login(owner)
    other = make_study("other")
    join(other, make_user("stranger"), Role.OWNER)
    foreign = other.units.earliest("pk")
    assert client.get(reverse("desk:unit", args=[study.slug, foreign.pk])).status_code == 404


def test_units_are_filtered_by_own_columns_of_all_they_show(study: Study) -> None:
    first, second, *_others = study.units.order_by("pk")
    study.units.filter(pk=first.pk).update(metadata={"list": "A"})
    study.sources.filter(pk=second.source_id).update(metadata={"topic": "mills = x"})
    item = second.items.get()
    study.items.filter(pk=item.pk).update(metadata={"length": 31})

    assert listed(study, "own=list = A") == [first.key]
    assert listed(study, "own=topic%3Dmills+%3D+x") == listed(study, "own=length=31")
    assert second.key in listed(study, "own=length=31")
    assert listed(study, "own=length=3") == []
    assert UnitTable(study, QueryDict("own=length")).form.errors


def test_a_units_page_shows_own_columns(client: Client, study: Study, owner: User) -> None:
    disagree(study)
    unit = study.units.earliest("pk")
    rows = (study.units, study.sources, study.items, study.annotations)
    for number, row in enumerate(rows):
        row.update(metadata={f"column {number}": f"<b>{number}"})
    client.force_login(owner)
    page = client.get(reverse("desk:unit", args=[study.slug, unit.pk])).content.decode()
    assert all(f"column {n}" in page and f"&lt;b&gt;{n}" in page for n in range(len(rows)))
