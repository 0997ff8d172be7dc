"""The pages of recruitment: who sees and presses what, and that money is confirmed first."""

import re
from typing import Any

import pytest
from celery import current_app
from django.test import Client
from django.urls import reverse

from annotation.models import Member, PanelPayment, PanelStudy, Study, User
from recruitment import tasks
from recruitment.checks import prolific_spenders
from recruitment.tasks import read_panel
from tests.cast import join, make_study, make_user
from tests.recruitment.conftest import Scene
from tests.services.prolific import TOKEN, FakeProlific
from tests.sessions import as_user

Role = Member.Role
PAGE = "desk:recruitment"


def page(client: Client, name: str, *args: object) -> str:
    response = client.get(reverse(name, args=args))
    assert response.status_code == 200
    return response.content.decode()


def press(client: Client, view: str, /, *args: object, **data: object) -> str:
    response = client.post(reverse(view, args=args), data, follow=True)
    assert response.status_code == 200
    return response.content.decode()


@pytest.fixture
def as_owner(client: Client, owner: User) -> Client:
    client.force_login(owner)
    return client


def every_address(scene: Scene, owner: User) -> list[tuple[str, tuple[object, ...], Role, bool]]:
    """Name, arguments, the least role, and whether it is only a button."""
    slug, made = scene.study.slug, scene.made.pk
    payment = PanelPayment.objects.create(
        panel_study=scene.made, currency="USD", total_minor=50, by=owner
    )
    return [
        (PAGE, (slug,), Role.REVIEWER, False),
        ("desk:recruitment-propose", (slug,), Role.OWNER, False),
        ("desk:recruitment-bonuses", (slug, made), Role.OWNER, False),
        ("desk:recruitment-payment", (slug, payment.pk), Role.OWNER, False),
        ("desk:recruitment-read", (slug, made), Role.REVIEWER, True),
        ("desk:recruitment-move", (slug, made), Role.OWNER, True),
        ("desk:recruitment-decide", (slug, made), Role.OWNER, True),
    ]


def test_each_role_meets_what_it_may_and_outsiders_nothing(
    client: Client, scene: Scene, owner: User, outsider: User
) -> None:
    addresses = every_address(scene, owner)
    people: dict[Role | None, User] = {None: outsider}
    for one in Role:
        people[one] = make_user(f"a-{one}")
        join(scene.study, people[one], one)
    for role, user in people.items():
        client.force_login(user)
        for name, args, least, button in addresses:
            address = reverse(name, args=args)
            response = client.post(address) if button else client.get(address)
            if role is None:
                assert response.status_code == 404, (name, role)
            elif not role.may(least):
                assert response.status_code == 403, (name, role)
            else:
                assert response.status_code in (200, 302), (name, role)


@pytest.mark.parametrize(
    ("names", "operator", "may"),
    [
        ([], False, False),
        ([], True, True),
        (["somebody-else"], True, False),
        (["owner"], False, True),
        (["*"], False, True),
    ],
)
def test_an_owner_spends_money_as_operator_or_where_the_installation_names_them(
    scene: Scene, owner: User, settings: Any, *, names: list[str], operator: bool, may: bool
) -> None:
    settings.PROLIFIC_OWNERS = names
    User.objects.filter(pk=owner.pk).update(is_superuser=operator)
    client = as_user(owner)
    told = client.get(reverse(PAGE, args=[scene.study.slug])).content.decode()
    assert ("PROLIFIC_OWNERS" in told) == (not may)
    address = reverse("desk:recruitment-propose", args=[scene.study.slug])
    assert client.get(address).status_code == (200 if may else 403)


@pytest.mark.parametrize(
    ("names", "token", "said"),
    [([], "", []), ([], "t", ["desk.I001"]), (["*"], "t", ["desk.W001"]), (["owner"], "t", [])],
)
def test_the_check_says_who_may_spend(
    settings: Any, monkeypatch: pytest.MonkeyPatch, names: list[str], token: str, said: list[str]
) -> None:
    settings.PROLIFIC_OWNERS = names
    monkeypatch.setenv("PROLIFIC_TOKEN_LAB", token)
    assert [message.id for message in prolific_spenders()] == said


def test_another_studys_rows_are_not_there(as_owner: Client, scene: Scene, owner: User) -> None:
    other = make_study("other")
    join(other, owner, Role.OWNER)
    for name in ("desk:recruitment-bonuses", "desk:recruitment-move"):
        address = reverse(name, args=[other.slug, scene.made.pk])
        assert as_owner.post(address, {"action": "PAUSE"}).status_code == 404
    assert scene.fake.calls == []


def test_without_a_token_the_page_says_which_and_keeps_the_way_by_file(
    as_owner: Client, sent_study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PROLIFIC_TOKEN", raising=False)
    assert "PROLIFIC_TOKEN" in page(as_owner, PAGE, sent_study.slug)
    sent_study.recruitment["workspace"] = "lab"
    sent_study.save()
    assert "PROLIFIC_TOKEN_LAB" in page(as_owner, PAGE, sent_study.slug)


def test_from_draft_to_publication_in_the_browser(
    as_owner: Client, sent_study: Study, fake: FakeProlific
) -> None:
    slug = sent_study.slug
    form = as_owner.get(reverse("desk:recruitment-propose", args=[slug])).context["form"]
    data = {name: form[name].value() for name in form.fields}
    shown = press(as_owner, "desk:recruitment-propose", slug, **data, check="")
    assert "{{%PROLIFIC_PID%}}" in shown
    assert "waits for your approval" in shown
    assert fake.studies == {}
    again = press(as_owner, "desk:recruitment-propose", slug, **data, change="")
    assert 'name="check"' in again
    sent = press(as_owner, "desk:recruitment-propose", slug, **data, send="")
    assert "The draft is at Prolific" in sent
    (made,) = PanelStudy.objects.all()
    asked = press(as_owner, "desk:recruitment-move", slug, made.pk, action="PUBLISH")
    assert "48.00 USD" in asked
    assert "10000.00 USD" in asked
    assert fake.studies[made.external_id]["status"] == "UNPUBLISHED"
    done = press(as_owner, "desk:recruitment-move", slug, made.pk, action="PUBLISH", cost="4800")
    assert "active" in done
    assert fake.studies[made.external_id]["status"] == "ACTIVE"


@pytest.mark.parametrize("signed", [True, False])
def test_prolific_signs_the_address_unless_the_tick_is_taken_away(
    as_owner: Client, sent_study: Study, fake: FakeProlific, signed: bool
) -> None:
    slug, place = sent_study.slug, "desk:recruitment-propose"
    form = as_owner.get(reverse(place, args=[slug])).context["form"]
    assert form["signed"].value() is True
    data = {name: form[name].value() for name in form.fields if name != "signed"}
    shown = press(as_owner, place, slug, **data, **({"signed": "on"} if signed else {}), check="")
    (hidden,) = re.findall(r'name="signed" value="(\w+)"', shown)
    press(as_owner, place, slug, **data, signed=hidden, send="")
    (made,) = fake.studies.values()
    assert made["is_external_study_url_secure"] is signed
    PanelStudy.objects.update(state=PanelStudy.State.GIVEN_UP)
    again = as_owner.get(reverse(place, args=[slug])).context["form"]
    assert again["signed"].value() is signed


def test_approvals_show_their_total_first(as_owner: Client, scene: Scene) -> None:
    for who in ("aa11", "bb22"):
        scene.worked(who, "AWAITING REVIEW")
    slug, made = scene.study.slug, scene.made.pk
    press(as_owner, "desk:recruitment-read", slug, made)
    keys = list(scene.made.submissions.values_list("pk", flat=True))
    address = "desk:recruitment-decide"
    asked = press(as_owner, address, slug, made, submission=keys, action="approve")
    assert "2.00 USD" in asked
    assert not scene.fake.rewarded
    press(as_owner, address, slug, made, submission=keys, action="approve", total="100")
    assert not scene.fake.rewarded
    press(as_owner, address, slug, made, submission=keys, action="approve", total="200")
    assert sum(scene.fake.rewarded.values()) == 2
    assert "approved 2" in page(as_owner, PAGE, slug)


def test_bonuses_go_out_after_the_total_was_confirmed(as_owner: Client, scene: Scene) -> None:
    for who in ("aa11", "bb22"):
        scene.worked(who)
    scene.refresh()
    slug, made = scene.study.slug, scene.made.pk
    offered = page(as_owner, "desk:recruitment-bonuses", slug, made)
    lines = re.findall(r'name="line" value="([\d:]+)"', offered)
    assert lines == ["1:50", "2:50"]
    counted = press(as_owner, "desk:recruitment-bonuses", slug, made, line=lines)
    assert "1.33 USD" in counted
    assert not any(scene.fake.paid.values())
    payment = PanelPayment.objects.get()
    paying = ("desk:recruitment-payment", slug, payment.pk)
    refused = press(as_owner, *paying, action="pay", total="100")
    assert "total has changed" in refused
    assert not any(scene.fake.paid.values())
    press(as_owner, *paying, action="pay", total="133")
    done = press(as_owner, *paying, action="look")
    assert [paid for paid in scene.fake.paid.values() if paid] == [[50], [50]]
    assert "badge--good" in done
    refused = press(as_owner, *paying, action="pay", total="133")
    assert "not waiting to be paid" in refused
    assert scene.fake.calls_to("/pay/") == 1


def test_pages_hold_neither_ids_of_people_nor_the_token(as_owner: Client, scene: Scene) -> None:
    who = "5f1c0ffee5f1c0ffee5f1c0f"
    session = scene.worked(who)
    scene.refresh()
    slug, made = scene.study.slug, scene.made.pk
    for text in (
        page(as_owner, PAGE, slug),
        page(as_owner, "desk:recruitment-bonuses", slug, made),
    ):
        assert who not in text
        assert session not in text
        assert TOKEN not in text


def test_the_page_takes_the_same_queries_whatever_the_size(
    as_owner: Client, scene: Scene, django_assert_max_num_queries: object
) -> None:
    for size in (3, 60):
        for number in range(size):
            scene.fake.submit(scene.made.external_id, f"p{size}-{number}")
        scene.refresh()
        with django_assert_max_num_queries(22):  # type: ignore[operator]
            page(as_owner, PAGE, scene.study.slug)


def test_the_periodic_task_reads_and_says_what_failed(scene: Scene) -> None:
    scene.worked("aa11", "AWAITING REVIEW")
    assert read_panel(scene.made.pk)
    assert scene.made.submissions.count() == 1
    scene.fake.studies.clear()
    assert not read_panel(scene.made.pk)
    scene.made.refresh_from_db()
    assert "knows no such study" in scene.made.problem
    PanelStudy.objects.all().delete()
    assert not read_panel(scene.made.pk)


def test_each_study_is_read_in_a_task_of_its_own(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where another one has no token."""
    sent: list[int] = []
    monkeypatch.setattr(tasks.read_panel, "apply_async", lambda args, **_: sent.append(args[0]))
    copy = PanelStudy.objects.get(pk=scene.made.pk)
    copy.pk, copy.key, copy.external_id = None, "another", "another"
    copy.save()
    poor = make_study("poor")
    Study.objects.filter(pk=poor.pk).update(recruitment={"panel": "prolific", "workspace": "x"})
    PanelStudy.objects.create(study=poor, panel="prolific", state="sent")
    assert current_app.tasks["recruitment.tasks.read_panels"]() == 2
    assert sent == [scene.made.pk, copy.pk]
