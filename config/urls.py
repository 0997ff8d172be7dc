"""Every room brings its own URLs; this page only joins them."""

from django.urls import include, path

urlpatterns = [
    path("", include("annotation.urls")),
    path("", include("results.urls")),
    path("", include("judges.urls")),
    path("", include("desk.urls")),
]
