"""The tables for superusers: who sees them, and what they never show or change."""

from http import HTTPStatus

import pytest
from axes.models import AccessAttempt
from django.contrib.admin import ModelAdmin
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.invitations import invite_colleague
from annotation.models import Study, User
from desk.installation.admin import site
from tests.accounts.codes import code_for, connect_app
from tests.cast import PASSWORD
from tests.sessions import as_user

INDEX = "/admin/"
# Of the models registered, what no page may show.
SECRETS = {"password", "digest", "post_data", "get_data", "session_data", "user_permissions"}


def waiting() -> AccessAttempt:
    """Wrong passwords of somebody."""
    return AccessAttempt.objects.create(
        username="who", ip_address="192.0.2.1", attempt_time=timezone.now(), failures_since_start=10
    )


@pytest.fixture
def operator(db: None) -> User:
    return User.objects.create_superuser("operator", password=PASSWORD)


def test_a_visitor_signs_in_as_everybody_does_and_others_find_no_such_page(owner: User) -> None:
    assert Client().get(INDEX).headers["Location"].startswith("/admin/login/")
    led = Client().get("/admin/login/?next=/admin/").headers["Location"]
    assert led == "/sign-in/?next=/admin/"
    for address in (INDEX, "/admin/login/", "/admin/annotation/user/"):
        assert as_user(owner).get(address).status_code == HTTPStatus.NOT_FOUND


def test_the_login_of_the_tables_leads_to_no_other_site(operator: User) -> None:
    client = Client()
    led = client.get("/admin/login/?next=https://example.org/").headers["Location"]
    done = client.post(led, {"username": "operator", "password": PASSWORD})
    assert done.headers["Location"] == reverse("desk:home")


def test_an_operator_with_a_second_factor_needs_it(operator: User) -> None:
    secret, client = connect_app(operator), Client()
    client.post("/sign-in/?next=/admin/", {"username": "operator", "password": PASSWORD})
    assert client.get(INDEX).status_code == HTTPStatus.FOUND
    done = client.post("/sign-in/second-step/", {"code": code_for(secret)})
    assert done.headers["Location"] == INDEX
    assert client.get(INDEX).status_code == HTTPStatus.OK


@pytest.mark.parametrize("model", sorted(site._registry, key=str))
def test_every_table_is_listed_shown_and_cannot_be_changed(
    model: type, operator: User, study: Study
) -> None:
    invite_colleague(study=study, role=study.members.model.Role.VIEWER, by=operator)
    waiting()
    client, name = as_user(operator), f"{model._meta.app_label}_{model._meta.model_name}"  # type: ignore[attr-defined]
    assert client.get(reverse(f"admin:{name}_changelist")).status_code == HTTPStatus.OK
    assert client.get(reverse(f"admin:{name}_add")).status_code == HTTPStatus.FORBIDDEN
    row = model.objects.first()  # type: ignore[attr-defined]
    if row is None:
        return
    address = reverse(f"admin:{name}_change", args=[row.pk])
    page = client.get(address)
    assert page.status_code == HTTPStatus.OK
    assert 'name="_save"' not in page.content.decode()
    assert client.post(address, {"username": "x", "slug": "x"}).status_code == HTTPStatus.FORBIDDEN


def test_passwords_are_changed_on_our_own_page_and_signing_out_is_ours(operator: User) -> None:
    client = as_user(operator)
    sent = {"old_password": PASSWORD} | dict.fromkeys(["new_password1", "new_password2"], "x y z")
    led = client.post(reverse("admin:password_change"), sent).headers["Location"]
    assert led == reverse("desk:password")
    assert client.post(reverse("admin:logout")).headers["Location"] == reverse("desk:home")
    assert client.get(INDEX).status_code == HTTPStatus.FOUND


def test_no_table_shows_a_secret() -> None:
    for model, table in site._registry.items():
        assert isinstance(table, ModelAdmin)
        shown = {*table.shown, *table.list_display}  # type: ignore[attr-defined]
        assert not shown & SECRETS, model


def test_tables_of_workers_answers_and_factors_are_not_there() -> None:
    names = {model.__name__ for model in site._registry}
    assert names == {
        "AccessAttempt",
        "Change",
        "ColleagueInvitation",
        "JudgeRun",
        "Member",
        "Study",
        "User",
    }


def test_a_name_that_waits_is_let_in_again_by_deleting_its_row(operator: User) -> None:
    row = waiting()
    address = reverse("admin:axes_accessattempt_delete", args=[row.pk])
    as_user(operator).post(address, {"post": "yes"})
    assert not AccessAttempt.objects.exists()


def test_no_column_that_is_not_listed_can_be_guessed_by_an_address(operator: User) -> None:
    client = as_user(operator)
    address = reverse("admin:annotation_user_changelist")
    for lookup in ("password__startswith", "email__contains", "memberships__study__slug"):
        reply = client.get(address, {lookup: "x"})
        assert reply.status_code == HTTPStatus.BAD_REQUEST
    assert client.get(address, {"is_active__exact": "1", "q": "operator"}).status_code == 200
