"""The researchers' addresses, by room."""

from django.contrib.auth.views import LogoutView
from django.urls import include, path

from accounts.urls import urlpatterns as accounts
from desk.data.urls import urlpatterns as data
from desk.installation.health import views as health
from desk.monitoring.urls import urlpatterns as monitoring
from desk.moved import urlpatterns as moved
from desk.people.urls import urlpatterns as people
from desk.studies.urls import urlpatterns as studies
from endpoints.urls import urlpatterns as endpoints
from set_up.urls import urlpatterns as set_up

app_name = "desk"
urlpatterns = [
    path("", include(studies)),
    path("", include(monitoring)),
    path("", include(set_up)),
    path("", include(people)),
    path("", include(data)),
    path("", include(accounts)),
    path("", include(endpoints)),
    path("", include(moved)),
    path("sign-out/", LogoutView.as_view(), name="sign-out"),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", health.metrics, name="metrics"),
    path("health/", health.health, name="health"),
]
