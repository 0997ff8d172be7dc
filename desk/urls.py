"""The researchers' addresses, by room."""

from django.contrib.auth.views import LogoutView
from django.urls import include, path

from desk.accounts.urls import urlpatterns as accounts
from desk.api import token_views
from desk.data.urls import urlpatterns as data
from desk.installation.health import views as health
from desk.monitoring.urls import urlpatterns as monitoring
from desk.moved import urlpatterns as moved
from desk.people.urls import urlpatterns as people
from desk.set_up.urls import urlpatterns as set_up
from desk.studies.urls import urlpatterns as studies

app_name = "desk"
urlpatterns = [
    path("", include(studies)),
    path("", include(monitoring)),
    path("", include(set_up)),
    path("", include(people)),
    path("", include(data)),
    path("", include(accounts)),
    path("", include(moved)),
    path("sign-out/", LogoutView.as_view(), name="sign-out"),
    path("account/tokens/", token_views.tokens, name="tokens"),
    path("account/tokens/revoke/", token_views.revoke_all, name="revoke-tokens"),
    path("account/tokens/<int:token_id>/revoke/", token_views.revoke, name="revoke-token"),
    path("api/v1/", include("desk.api.urls")),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
]
