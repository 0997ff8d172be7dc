"""The API against its own schema: schemathesis sends what the schema allows and what it does not,
operation by operation and in chains along the links, and all of its checks look at each answer."""

import re
import uuid
from typing import Any

import pytest
import schemathesis
from django.core.wsgi import get_wsgi_application
from schemathesis.engine import events, from_schema
from schemathesis.transport.wsgi import WSGITransport

from annotation.models import Study, User
from api.requests.keyed_writes import HEADER, KEY
from api.scopes import Scope
from api.tokens import make_token
from tests.api.operations import every_operation
from tests.api.seeding import with_everything

pytestmark = pytest.mark.django_db(transaction=True)
ADDRESS = "/api/v1/openapi.json"
REFUSED = ["400", "401", "403", "404", "405", "409", "415", "422", "428"]
ACCEPTED = ["2xx", "3xx", "401", "403", "404", "409", "429"]
# What a study file says is read by its own rules, which hold between keys and between records, and
# which no JSON Schema can say: such a request may be refused. Every refusal names the field.
OF_STUDY_FILES = ["studies_create", "studies_items_create", "studies_file_update"]
# Nor what files hold, and whether a reading fits them.
OF_FILES = ["readings_create", "readings_study_create", "imports_create"]
# Of a form every value is a text, so the numbers 0 and 1 are the switches that they stand for.
IN_FORMS = {"imports_create": ["202"]}
# A judge has none until they are fixed.
MAY_BE_NONE = "studies_judges_probes_retrieve"
# Nor what a question, a list, a rule, a table of a team or an address takes.
OF_PARTS = [
    "studies_cases_decide_create",
    "studies_controls_pick_create",
    "studies_lists_entries_create",
    "studies_lists_take_create",
    "studies_stop_rule_update",
    "studies_team_names_create",
    "studies_team_table_update",
    "studies_unit_actions_create",
    "studies_webhook_update",
    "account_webhook_update",
    "studies_exclusions_create",
    "studies_controls_create",
    "studies_datasheet_update",
]
# Other ETags than the one that stands are as they should be, and are not the one.
WITH_IF_MATCH = [
    "studies_file_update",
    "studies_pay_workers_adjustments_create",
    "studies_datasheet_update",
]
# PostgreSQL keeps no NUL, and JSON Schema cannot say so of texts within records and answers:
# `test_reading` and `test_writing` look at NUL.
GENERATED = {"allow-x00": False, "deterministic": True, "database": "none", "no-shrink": True}
# What belongs to sockets alone, and hinders requests to a WSGI application of which schemathesis
# has taken the session away.
OF_SOCKETS = ("max_redirects", "verify", "cert", "proxies")


def accepting(operation: str, *more: str) -> dict[str, Any]:
    checks = {
        "positive_data_acceptance": {"expected-statuses": [*ACCEPTED, *more]},
        # 428 is the status for a missing If-Match (RFC 6585); 403 after the study was handed over.
        "missing_required_header": {"expected-statuses": ["401", "403", "422", "428"]},
        "negative_data_rejection": {
            "expected-statuses": [*REFUSED, "412", *IN_FORMS.get(operation, [])]
        },
    }
    return {"include-operation-id": operation, "checks": checks}


def configured(secret: str, *, examples: int, **phases: Any) -> Any:
    operations = []
    refused = [*OF_STUDY_FILES, *OF_FILES, *OF_PARTS]
    for name in {*refused, *WITH_IF_MATCH}:
        more = ["422"] if name in refused else []
        more += ["412"] if name in WITH_IF_MATCH else []
        operations.append(accepting(name, *more))
    availability = {"ensure_resource_availability": {"enabled": False}}
    operations.append({"include-operation-id": MAY_BE_NONE, "checks": availability})
    return schemathesis.Config.from_dict(
        {
            "headers": {"Authorization": f"Bearer {secret}"},
            "generation": {**GENERATED, "max-examples": examples},
            "parameters": {"path.slug": "small"},
            "operations": operations,
            "phases": phases,
            "continue-on-failure": True,
            "seed": 1,
        }
    )


@pytest.fixture(autouse=True)
def reached(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The application takes as many requests as come, and gets them without a session."""
    settings.API_RATE = "1000000/min"
    send = WSGITransport.send

    def to_application(transport: WSGITransport, case: Any, **options: Any) -> Any:
        if options.get("session") is None:
            options = {name: value for name, value in options.items() if name not in OF_SOCKETS}
        # A key is to be new for each write, which no schema can say.
        if re.fullmatch(KEY, str((case.headers or {}).get(HEADER, ""))):
            case.headers[HEADER] = uuid.uuid4().hex
        return send(transport, case, **options)

    monkeypatch.setattr(WSGITransport, "send", to_application)


def application() -> Any:
    """The program, which ends each request when it is answered: then its thread gives the
    connection to the database back."""
    program = get_wsgi_application()

    def answer(environ: Any, start_response: Any) -> list[bytes]:
        response = program(environ, start_response)
        try:
            return [b"".join(response)]
        finally:
            response.close()

    return answer


class Outcome:
    """What a run of schemathesis found. faults: in words, once for each operation and check.
    done: the operations that were answered with a status below 300."""

    def __init__(self) -> None:
        self.faults: dict[tuple[str, str], str] = {}
        self.done: set[str] = set()
        self.requests = 0

    def take(self, event: Any) -> None:
        if isinstance(event, events.FatalError):
            raise event.exception
        if isinstance(event, events.NonFatalError):
            self.faults[event.label, type(event.value).__name__] = repr(event.value)
        if isinstance(event, events.ScenarioFinished):
            for key, interaction in event.recorder.interactions.items():
                case, response = event.recorder.cases[key].value, interaction.response
                if response is not None:
                    self._answered(case, response)
                for check in event.recorder.checks.get(key, ()):
                    if check.failure_info is not None:
                        self._failed(check.failure_info, response)

    def _answered(self, case: Any, response: Any) -> None:
        self.requests += 1
        name = case.operation.definition.raw["operationId"]
        if response.status_code < 300:
            self.done.add(name)
        if response.status_code == 422 and not response.json().get("errors"):
            self.faults[name, "no field"] = response.text

    def _failed(self, info: Any, response: Any) -> None:
        failure = info.failure
        said = "" if response is None else f"{response.status_code} {response.content[:500]!r}"
        words = f"{failure.title}: {failure.message[:800]}\n{info.code_sample[:800]}\n{said}"
        self.faults.setdefault((failure.operation, failure.title), words)

    @property
    def in_words(self) -> str:
        return "\n\n".join(f"{name}: {words}" for (name, _), words in self.faults.items())


def run(config: Any) -> Outcome:
    schema = schemathesis.openapi.from_wsgi(ADDRESS, application(), config=config)
    outcome = Outcome()
    for event in from_schema(schema).execute():
        outcome.take(event)
    return outcome


def secret_of(owner: User, *scopes: Scope) -> str:
    return make_token(owner=owner, name="contract", scopes=scopes or list(Scope), days=1)[1]


def test_the_api_keeps_to_its_schema(study: Study, owner: User) -> None:
    with_everything(study, owner)
    outcome = run(configured(secret_of(owner), examples=1, coverage={"enabled": False}))
    assert not outcome.faults, outcome.in_words
    assert outcome.requests > 400
    assert len(outcome.done) > 100


@pytest.mark.slow
def test_the_api_keeps_to_its_schema_at_the_edges_of_all_values(study: Study, owner: User) -> None:
    with_everything(study, owner)
    outcome = run(configured(secret_of(owner), examples=20))
    assert not outcome.faults, outcome.in_words
    assert outcome.requests > 3000
    # What one operation ends or removes others no longer meet; `test_outsiders` meets them all.
    assert len(outcome.done) > 150


@pytest.mark.slow
@pytest.mark.parametrize("scope", Scope)
def test_a_token_of_one_scope_meets_the_same_schema(
    study: Study, owner: User, scope: Scope
) -> None:
    with_everything(study, owner)
    outcome = run(configured(secret_of(owner, scope), examples=3, coverage={"enabled": False}))
    assert not outcome.faults, outcome.in_words
    allowed = {operation.name for operation in every_operation() if operation.scope == scope}
    assert outcome.done <= allowed
    assert outcome.done
