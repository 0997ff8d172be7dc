"""Every room brings its own URLs; this page only joins them."""

from django.conf import settings
from django.templatetags.static import static
from django.urls import include, path
from django.utils.functional import lazy
from django.views.generic import RedirectView

from desk.installation.admin import site

# What browsers ask for on pages whose head names no icon, such as those of the admin. The name of
# the file is known once static files are collected.
icon = RedirectView.as_view(url=lazy(static, str)("icon.svg"), http_method_names=["get", "head"])
handler500 = "annotation.views.outage.request_failed"
urlpatterns = [
    path("favicon.ico", icon, name="icon"),
    path("", include("annotation.urls")),
    path("", include("results.urls")),
    path("", include("judges.urls")),
    path("", include("workbench.urls")),
    path("", include("desk.urls")),
    path("", include("api.urls")),
]
if settings.ADMIN_PAGES:
    urlpatterns += [path("admin/", site.urls)]
