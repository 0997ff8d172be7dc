"""Every room brings its own URLs; this page only joins them."""

from django.conf import settings
from django.urls import include, path

from desk.accounts.admin import site

urlpatterns = [
    path("", include("annotation.urls")),
    path("", include("results.urls")),
    path("", include("judges.urls")),
    path("", include("desk.urls")),
]
if settings.ADMIN_PAGES:
    urlpatterns += [path("admin/", site.urls)]
