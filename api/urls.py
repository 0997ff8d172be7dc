"""The addresses of the API, and of the page of its tokens."""

from django.urls import include, path
from rest_framework.routers import SimpleRouter

from api import documentation, token_views
from api.views import (
    answers,
    judges,
    material,
    nowhere,
    pay,
    people,
    readings,
    results,
    reviews,
    studies,
)

app_name = "api"
_STUDY = "studies/<slug:slug>"
_ROWS = {
    "sources": material.Sources,
    "items": material.Items,
    "units": material.Units,
    "questions": material.Questions,
    "answers": answers.Answers,
    "raters": people.Raters,
    "rounds": studies.Rounds,
    "judges": judges.Judges,
    "runs": judges.Runs,
    "calls": judges.Calls,
    "reviews": reviews.Reviews,
    "problems": people.Problems,
    "events": people.Events,
    "invitations": results.Invitations,
    "exports": results.Exports,
    "pay/files": pay.PayFiles,
    "pay/workers": pay.PaidWorkers,
}
_router = SimpleRouter(use_regex_path=False)
_router.register("studies", studies.Studies, "studies")
_router.register("readings", readings.Readings, "readings")
for _name, _rows in _ROWS.items():
    _router.register(f"{_STUDY}/{_name}", _rows, _name.replace("/", "-"))
_V1 = [
    path("openapi.json", documentation.Schema.as_view(), name="schema"),
    path("docs/", documentation.docs, name="docs"),
    *_router.urls,
    path(f"{_STUDY}/estimates/", results.Estimates.as_view({"get": "retrieve"}), name="estimates"),
    path(f"{_STUDY}/pay/", pay.Pay.as_view({"get": "retrieve"}), name="pay"),
    path("", nowhere.nowhere, name="nowhere"),
    path("<path:rest>", nowhere.nowhere, name="nowhere-else"),
]
urlpatterns = [
    path("account/tokens/", token_views.tokens, name="tokens"),
    path("account/tokens/revoke/", token_views.revoke_all, name="revoke-tokens"),
    path("account/tokens/<int:token_id>/revoke/", token_views.revoke, name="revoke-token"),
    path("api/v1/", include(_V1)),
]
