"""Every operation of the API, by its schema, as callers meet it who may not do it: the right status
and a problem document, and nothing is written."""

from collections.abc import Callable, Mapping
from datetime import timedelta

import pytest
from django.apps import apps
from django.db import transaction
from django.test import Client
from django.utils import timezone

from annotation.models import Member, Study, User
from api.models import ApiToken
from api.problems import CONTENT_TYPE
from api.scopes import Scope
from api.tokens import make_token, revoke_token
from tests.api.operations import Operation, every_operation, row_of
from tests.api.seeding import with_everything
from tests.cast import join, make_study, make_user

Role = Member.Role
# What the seeded study does not allow: its export is not written, it has another slug than the file
# of the example and comes from another panel, and neither it nor its run is paused.
NOT_NOW = {
    "readings_create": 422,  # files are sent in a form
    "studies_exports_again_create": 409,
    "studies_exports_file_retrieve": 404,
    "studies_file_update": 422,
    "studies_pay_files_create": 409,
    "studies_resume_create": 409,
    "studies_runs_resume_create": 409,
}
Rows = Mapping[str, int]
# A token for one study may list studies, and sees that one; it makes none.
MAKES_NONE = {"studies_create", "readings_create", "readings_retrieve", "readings_study_create"}
OF_NO_STUDY = {"studies_list": 200, **dict.fromkeys(MAKES_NONE, 403)}
# What others may do as well.
OF_ANYBODY = {"studies_list", "studies_create", "readings_create"}


@pytest.fixture
def seeded(study: Study, owner: User) -> Study:
    return with_everything(study, owner)


def bearer(secret: str) -> Client:
    return Client(headers={"Authorization": f"Bearer {secret}"})


def token(user: User, *scopes: Scope, study: Study | None = None) -> tuple[ApiToken, str]:
    return make_token(owner=user, name="test", scopes=scopes or tuple(Scope), days=1, study=study)


def rows() -> Rows:
    """How many rows each table has."""
    return {model._meta.label: model._base_manager.count() for model in apps.get_models()}


def refused(
    study: Study, client: Client, status: Callable[[Operation], int | None]
) -> list[Operation]:
    """Ask for every operation that `status` knows a status for; those that were asked for."""
    asked, before = [], rows()
    for operation in every_operation():
        wanted = status(operation)
        if wanted is None:
            continue
        asked.append(operation)
        answer = operation.ask(client, study, row_of(study, operation))
        assert answer.status_code == wanted, (operation, answer.content)
        if wanted >= 400:
            assert answer.headers["Content-Type"] == CONTENT_TYPE
            assert answer.json()["detail"]
    assert rows() == before
    return asked


def test_all_operations_are_looked_at_with_the_scope_that_they_need() -> None:
    every = every_operation()
    assert len(every) >= 60
    assert {operation.scope for operation in every} == set(Scope.values)


def test_whoever_may_is_let_in_everywhere(seeded: Study, owner: User) -> None:
    """With the example of each body: so it is no wrong address that refuses the others."""
    client, statuses = bearer(token(owner)[1]), {}
    for operation in every_operation():
        with transaction.atomic():
            answer = operation.ask(client, seeded, row_of(seeded, operation))
            statuses[operation.name] = answer.status_code
            transaction.set_rollback(True)
    assert {name: status for name, status in statuses.items() if status >= 300} == NOT_NOW


def test_without_a_token_and_with_an_unknown_one_nothing_opens(seeded: Study) -> None:
    assert refused(seeded, Client(), lambda _: 401)
    assert refused(seeded, bearer("jbx_nothing"), lambda _: 401)


def test_an_expired_and_a_revoked_token_open_nothing(seeded: Study, owner: User) -> None:
    expired, secret = token(owner)
    ApiToken.objects.filter(pk=expired.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    refused(seeded, bearer(secret), lambda _: 401)
    revoked, secret = token(owner)
    revoke_token(token=revoked, by=owner)
    refused(seeded, bearer(secret), lambda _: 401)


def test_a_token_of_another_study_finds_nothing(seeded: Study, owner: User) -> None:
    other = make_study("other")
    join(other, owner, Role.OWNER)
    _row, secret = token(owner, study=other)
    refused(seeded, bearer(secret), lambda operation: OF_NO_STUDY.get(operation.name, 404))


def test_an_outsider_finds_nothing(seeded: Study, outsider: User) -> None:
    _row, secret = token(outsider)
    asked = refused(
        seeded,
        bearer(secret),
        lambda operation: None if operation.name in OF_ANYBODY else 404,
    )
    assert len(asked) >= 60


@pytest.mark.parametrize("scope", Scope)
def test_a_token_that_lacks_the_scope_is_refused(seeded: Study, owner: User, scope: Scope) -> None:
    _row, secret = token(owner, *(other for other in Scope if other != scope))
    asked = refused(
        seeded, bearer(secret), lambda operation: 403 if operation.scope == scope else None
    )
    assert asked


@pytest.mark.parametrize("role", [Role.VIEWER, Role.REVIEWER, Role.EDITOR])
def test_a_member_of_a_lower_role_is_refused(seeded: Study, role: Role) -> None:
    user = make_user(f"the-{role}")
    join(seeded, user, role)
    _row, secret = token(user)
    asked = refused(
        seeded, bearer(secret), lambda operation: None if role.may(Role(operation.role)) else 403
    )
    assert asked
    if role == Role.VIEWER:
        writes = {operation.name for operation in every_operation() if operation.writes}
        makes = {"studies_create", "readings_create", "readings_study_create"}
        assert writes - {operation.name for operation in asked} == makes
