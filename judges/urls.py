"""Addresses of the judges' pages."""

from django.urls import path

from judges.views import runs as views

app_name = "judges"
urlpatterns = [
    path("studies/<slug:slug>/judges/", views.runs, name="runs"),
    path("studies/<slug:slug>/judges/plan/", views.plan, name="plan"),
    path("studies/<slug:slug>/judges/start/", views.start, name="start"),
    path("studies/<slug:slug>/judges/define/", views.define, name="define"),
    path("studies/<slug:slug>/judges/families/", views.families, name="families"),
    path("studies/<slug:slug>/judges/runs/compare/", views.compare, name="compare"),
    path("studies/<slug:slug>/judges/runs/<int:run_id>/", views.run, name="run"),
    path(
        "studies/<slug:slug>/judges/runs/<int:run_id>/replies.jsonl", views.replies, name="replies"
    ),
    path("studies/<slug:slug>/judges/runs/<int:run_id>/pause/", views.pause, name="pause"),
    path("studies/<slug:slug>/judges/runs/<int:run_id>/cancel/", views.cancel, name="cancel"),
    path("studies/<slug:slug>/judges/runs/<int:run_id>/resume/", views.resume, name="resume"),
    path(
        "studies/<slug:slug>/judges/versions/<str:name>/<int:version>/", views.judge, name="judge"
    ),
    path(
        "studies/<slug:slug>/judges/versions/<str:name>/<int:version>/calibrate/",
        views.calibrate,
        name="calibrate",
    ),
]
