"""Every operation of the API, by its schema, as callers meet it who may not do it: the right status
and a problem document, and nothing is written."""

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from pathlib import Path

import pytest
from django.apps import apps
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from drf_spectacular.generators import EndpointEnumerator

from annotation.models import Member, Study, User
from api.authentication import TokenAuthentication
from api.models import ApiToken
from api.problems import CONTENT_TYPE
from api.scopes import Scope
from api.tokens import make_token, revoke_token
from tests.api.operations import Operation, every_operation, row_of
from tests.api.seeding import with_everything
from tests.cast import join, make_study, make_user

Role = Member.Role
# What the seeded study does not allow: its export and its import are not written, it is open, has
# no team, no controls in use and no right answers, it has another slug than the file of the example
# and comes from another panel, and neither it nor its run is paused.
NOT_NOW = {
    "imports_create": 422,  # files are sent in a form
    "imports_again_create": 409,
    "imports_skipped_retrieve": 404,
    "readings_create": 422,  # files are sent in a form
    "studies_alert_mails_test_create": 409,
    "studies_archive_create": 409,
    "studies_cases_release_create": 409,
    "studies_controls_create": 409,
    "studies_controls_pick_create": 422,
    "studies_controls_promote_create": 409,
    "studies_controls_put_back_create": 409,
    "studies_controls_retire_create": 409,
    "studies_datasheet_update": 409,
    "studies_delete_create": 409,
    "studies_exports_again_create": 409,
    "studies_exports_file_retrieve": 404,
    "studies_file_update": 422,
    "studies_jobs_again_create": 409,
    "studies_judges_baselines_create": 409,
    "studies_judges_calibrate_create": 409,
    "studies_judges_take_create": 409,
    "studies_judges_try_ask_create": 409,
    "studies_judges_try_create": 409,
    "studies_lists_create": 409,
    "studies_looks_create": 409,
    "studies_looks_publish_create": 409,
    "studies_versions_flips_retrieve": 404,  # it has one version alone
    "studies_split_update": 409,
    "studies_lists_reopen_create": 409,
    "studies_lists_take_create": 422,
    "studies_pay_files_create": 409,
    "studies_results_links_create": 409,
    "studies_resume_create": 409,
    "studies_runs_resume_create": 409,
    "studies_team_create": 409,
    "studies_team_end_create": 409,
    "studies_team_links_create": 409,
    "studies_team_names_create": 409,
    "studies_team_release_create": 409,
    "studies_team_settle_create": 409,
    "studies_team_table_update": 409,
    "account_webhook_deliveries_again_create": 409,
    "studies_webhook_deliveries_again_create": 409,
    "studies_workers_lost_link_create": 409,
    "studies_workers_reinstate_create": 409,
    "studies_writings_create": 409,
    "studies_writings_plan_create": 409,
}
# Of the others that write, those that have nothing to do there: the answer of the example is to no
# unit of the study, nothing was decided, no judge was imported, and nobody has qualified.
CHANGES_NOTHING = {
    "studies_answers_create",
    "studies_judges_families_create",
    "studies_reviews_undo_create",
    "studies_rounds_invite_qualified_create",
}
WRITTEN = re.compile(r'(?:INSERT(?: OR IGNORE)? INTO|UPDATE|DELETE FROM) "(\w+)"')
OF_TOKENS = {"api_apitoken", "api_keyedwrite"}
Rows = Mapping[str, int]
# A token for one study may list studies and webhooks, and sees those of that one; it makes none.
LISTS = {"studies_list", "webhooks_list"}
MAKES = {"studies_create", "readings_create", "imports_create", "account_webhook_update"}
# What others may do as well; they find nothing of this account.
OF_ANYBODY = {*LISTS, *MAKES, "imports_list", "account_webhook_deliveries_list"}


def is_of_no_study(operation: Operation) -> bool:
    """Whether it makes studies, or is about what one is made of, or about the account."""
    return operation.name == "studies_create" or operation.path.split("/")[3] in (
        "readings",
        "imports",
        "account",
    )


def for_another_study(operation: Operation) -> int:
    """What a token for another study is answered."""
    if operation.name in LISTS:
        return 200
    return 403 if is_of_no_study(operation) else 404


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
    study: Study,
    client: Client,
    status: Callable[[Operation], int | None],
    among: Iterable[Operation] | None = None,
) -> list[Operation]:
    """Ask for every operation that `status` knows a status for; those that were asked for."""
    asked, before = [], rows()
    for operation in every_operation() if among is None else among:
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
    assert len(every) >= 180
    assert {operation.scope for operation in every} == set(Scope.values)


def test_whoever_may_is_let_in_everywhere(seeded: Study, owner: User) -> None:
    """With the example of each body: so it is no wrong address that refuses the others."""
    client, statuses, changed = bearer(token(owner)[1]), {}, {}
    for operation in every_operation():
        with transaction.atomic(), CaptureQueriesContext(connection) as asked:
            answer = operation.ask(client, seeded, row_of(seeded, operation))
            statuses[operation.name] = answer.status_code
            transaction.set_rollback(True)
        written = {WRITTEN.match(query["sql"]) for query in asked.captured_queries}
        changed[operation.name] = {match[1] for match in written if match} - OF_TOKENS
    assert {name: status for name, status in statuses.items() if status >= 300} == NOT_NOW
    done = [each for each in every_operation() if each.writes and statuses[each.name] < 300]
    assert {each.name for each in done if not changed[each.name]} == CHANGES_NOTHING


def test_what_nothing_comes_of_there_has_a_test_that_brings_it_to_succeed() -> None:
    """A test with the mark `operations` fails unless each that it names succeeds (conftest)."""
    named: set[str] = set()
    for path in Path(__file__).parent.rglob("test_*.py"):
        for mark in re.findall(r"mark\.operations\(([^)]*)\)", path.read_text(encoding="utf-8")):
            named.update(re.findall(r'"(\w+)"', mark))
    assert NOT_NOW.keys() | CHANGES_NOTHING <= named
    assert named <= {operation.name for operation in every_operation()}


def test_without_a_token_nothing_opens(seeded: Study) -> None:
    assert refused(seeded, Client(), lambda _: 401)


def test_an_unknown_an_expired_and_a_revoked_token_open_nothing(seeded: Study, owner: User) -> None:
    """All operations ask one class who that is, so some stand for all."""
    served = EndpointEnumerator().get_api_endpoints()  # type: ignore[no-untyped-call]
    views = {path: view for path, _, _, view in served}
    for operation in every_operation():
        assert views[operation.path].cls.authentication_classes == [TokenAuthentication], operation
    expired, of_expired = token(owner)
    ApiToken.objects.filter(pk=expired.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    revoked, of_revoked = token(owner)
    revoke_token(token=revoked, by=owner)
    for secret in ("jbx_nothing", of_expired, of_revoked):
        assert refused(seeded, bearer(secret), lambda _: 401, every_operation()[::20])


def test_a_token_of_another_study_finds_nothing(seeded: Study, owner: User) -> None:
    other = make_study("other")
    join(other, owner, Role.OWNER)
    _row, secret = token(owner, study=other)
    refused(seeded, bearer(secret), for_another_study)


def test_an_outsider_finds_nothing(seeded: Study, outsider: User) -> None:
    _row, secret = token(outsider)
    asked = refused(
        seeded,
        bearer(secret),
        lambda operation: None if operation.name in OF_ANYBODY else 404,
    )
    assert len(asked) >= 180


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
        own = {"studies_alert_mails_update", "studies_alert_mails_test_create"}
        own |= {"studies_unit_views_create", "studies_unit_views_remove_create"}
        makes = {operation.name for operation in every_operation() if is_of_no_study(operation)}
        assert writes - {operation.name for operation in asked} == own | (makes & writes)
