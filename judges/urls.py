"""URLs of the judges' pages."""

from django.urls import path

from judges.views import judges, probes, runs

app_name = "judges"
urlpatterns = [
    path("studies/<slug:slug>/judges/", runs.runs, name="runs"),
    path("studies/<slug:slug>/judges/start/", runs.start, name="start"),
    path("studies/<slug:slug>/judges/define/", judges.define, name="define"),
    path("studies/<slug:slug>/judges/try/", judges.try_out, name="try"),
    path("studies/<slug:slug>/judges/baselines/", judges.baselines, name="baselines"),
    path("studies/<slug:slug>/judges/take/", judges.take, name="take"),
    path("studies/<slug:slug>/judges/families/", judges.families, name="families"),
    path("studies/<slug:slug>/judges/runs/compare/", runs.compare, name="compare"),
    path("studies/<slug:slug>/judges/runs/<int:run_id>/", runs.run, name="run"),
    path(
        "studies/<slug:slug>/judges/runs/<int:run_id>/replies.jsonl", runs.replies, name="replies"
    ),
    path("studies/<slug:slug>/judges/runs/<int:run_id>/pause/", runs.pause, name="pause"),
    path("studies/<slug:slug>/judges/runs/<int:run_id>/cancel/", runs.cancel, name="cancel"),
    path("studies/<slug:slug>/judges/runs/<int:run_id>/resume/", runs.resume, name="resume"),
    path(
        "studies/<slug:slug>/judges/versions/<str:name>/<int:version>/", judges.judge, name="judge"
    ),
    path(
        "studies/<slug:slug>/judges/versions/<str:name>/<int:version>/calibrate/",
        judges.calibrate,
        name="calibrate",
    ),
    path(
        "studies/<slug:slug>/judges/versions/<str:name>/<int:version>/probes/",
        probes.fix,
        name="fix-probes",
    ),
    path(
        "studies/<slug:slug>/judges/versions/<str:name>/<int:version>/probes/ask/",
        probes.ask,
        name="ask-again",
    ),
    path(
        "studies/<slug:slug>/judges/versions/<str:name>/<int:version>/probes/schedule/",
        probes.schedule,
        name="schedule-probes",
    ),
]
