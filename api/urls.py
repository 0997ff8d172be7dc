"""The addresses of the API, and of the page of its tokens."""

from django.urls import include, path
from rest_framework.routers import DynamicRoute, Route, SimpleRouter

from api import documentation, token_views
from api.views import (
    answers,
    imports,
    judges,
    looks,
    material,
    members,
    nowhere,
    pay,
    people,
    publication,
    readings,
    results,
    reviews,
    runs,
    studies,
    team,
    writings,
)
from api.views.data import adjudication, controls, exclusions, jobs, lists, unit_actions
from api.views.monitoring import alerts, webhooks


class OneOf(SimpleRouter):
    """Addresses of what a study or an account has one of: `retrieve` and `update` without a
    number, and actions below it."""

    routes = [
        Route(
            url="{prefix}/",
            mapping={"get": "retrieve", "put": "update"},
            name="{basename}",
            detail=False,
            initkwargs={},
        ),
        DynamicRoute(
            url="{prefix}/{url_path}/",
            name="{basename}-{url_name}",
            detail=False,
            initkwargs={},
        ),
    ]


app_name = "api"
_STUDY = "studies/<slug:slug>"
_ROWS = {
    "sources": material.Sources,
    "items": material.Items,
    "units": material.Units,
    "unit-actions": unit_actions.UnitActions,
    "unit-views": unit_actions.UnitViews,
    "controls": controls.Controls,
    "lists": lists.Lists,
    "questions": material.Questions,
    "answers": answers.Answers,
    "raters": people.Raters,
    "rounds": studies.Rounds,
    "judges": judges.Judges,
    "looks": looks.Looks,
    "versions": looks.Versions,
    "runs": runs.Runs,
    "calls": runs.Calls,
    "writings": writings.Writings,
    "reviews": reviews.Reviews,
    "workers": people.Workers,
    "exclusions": exclusions.Exclusions,
    "cases": adjudication.Cases,
    "gold": adjudication.Gold,
    "jobs": jobs.Jobs,
    "alerts": alerts.Alerts,
    "webhook/deliveries": webhooks.Deliveries,
    "members": members.Members,
    "colleagues": members.Colleagues,
    "team": team.Team,
    "results-links": publication.ResultsLinks,
    "registrations": publication.Registrations,
    "problems": people.Problems,
    "events": people.Events,
    "invitations": results.Invitations,
    "exports": results.Exports,
    "pay/files": pay.PayFiles,
    "pay/workers": pay.PaidWorkers,
}
# Of which a study has one.
_ONE = {
    "estimates": results.Estimates,
    "pay": pay.Pay,
    "webhook": webhooks.StudyWebhook,
    "alert-mails": alerts.AlertMails,
    "split": looks.Split,
    "stop-rule": publication.StopRule,
    "datasheet": publication.DataSheet,
}
_router = SimpleRouter(use_regex_path=False)
_router.register("studies", studies.Studies, "studies")
_router.register("readings", readings.Readings, "readings")
_router.register("imports", imports.Imports, "imports")
_router.register("webhooks", webhooks.AccountWebhooks, "webhooks")
for _name, _rows in _ROWS.items():
    _router.register(f"{_STUDY}/{_name}", _rows, _name.replace("/", "-"))
_router.register("account/webhook/deliveries", webhooks.AccountDeliveries, "account-deliveries")
_one = OneOf(use_regex_path=False)
_one.register("account/webhook", webhooks.AccountWebhook, "account-webhook")
for _name, _part in _ONE.items():
    _one.register(f"{_STUDY}/{_name}", _part, _name)
_V1 = [
    path("openapi.json", documentation.Schema.as_view(), name="schema"),
    path("docs/", documentation.docs, name="docs"),
    *_one.urls,
    *_router.urls,
    path("", nowhere.nowhere, name="nowhere"),
    path("<path:rest>", nowhere.nowhere, name="nowhere-else"),
]
urlpatterns = [
    path("account/tokens/", token_views.tokens, name="tokens"),
    path("account/tokens/revoke/", token_views.revoke_all, name="revoke-tokens"),
    path("account/tokens/<int:token_id>/revoke/", token_views.revoke, name="revoke-token"),
    path("api/v1/", include(_V1)),
]
