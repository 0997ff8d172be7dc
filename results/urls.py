"""The addresses of results."""

from django.urls import path

from results.dashboard.panels import Tab
from results.views import (
    dashboard,
    datasheet,
    metrics,
    paper,
    registration,
    stopping,
    studies,
    summary,
    units,
)

app_name = "results"
urlpatterns = [
    path("studies/<slug:slug>/results/", summary.summary, name="summary"),
    path("studies/<slug:slug>/results/planned/", summary.planned_step, name="planned-step"),
    *(
        path(f"studies/<slug:slug>/results/{name}/", dashboard.tab, {"tab": name}, name=name)
        for name in Tab
    ),
    path("studies/<slug:slug>/results/plan/", studies.planning, name="plan"),
    path("studies/<slug:slug>/results/metrics/", metrics.metrics, name="metrics"),
    path("studies/<slug:slug>/results/everything/", dashboard.dashboard, name="dashboard"),
    path("studies/<slug:slug>/results/paper/", paper.paper, name="paper"),
    path("studies/<slug:slug>/results/paper/references.bib", paper.references, name="references"),
    path("studies/<slug:slug>/results/paper/page.html", paper.page_file, name="page-file"),
    path("studies/<slug:slug>/results/paper/share/", paper.share, name="share"),
    path(
        "studies/<slug:slug>/results/paper/share/<int:link_id>/revoke/",
        paper.revoke,
        name="revoke-link",
    ),
    path("studies/<slug:slug>/results/datasheet/", datasheet.datasheet, name="datasheet"),
    path(
        "studies/<slug:slug>/results/datasheet/heds.json",
        datasheet.datasheet_file,
        name="datasheet-file",
    ),
    path(
        "studies/<slug:slug>/results/datasheet/<slug:key>/",
        datasheet.datasheet_part,
        name="datasheet-part",
    ),
    path("studies/<slug:slug>/registration/", registration.registration, name="registration"),
    path(
        "studies/<slug:slug>/registration/<int:registration_id>.json",
        registration.registration_file,
        name="registration-file",
    ),
    path("shared/<str:token>/", paper.shared, name="shared"),
    path("studies/<slug:slug>/results/as-of/", dashboard.as_of, name="as-of"),
    path("studies/<slug:slug>/results/figure/", dashboard.figure, name="figure"),
    path("studies/<slug:slug>/results/table/", dashboard.table, name="table"),
    path("studies/<slug:slug>/results/units/", units.units, name="units"),
    path("studies/<slug:slug>/results/export/", dashboard.export, name="export"),
    path("studies/<slug:slug>/results/against/", studies.choose, name="choose-against"),
    path("studies/<slug:slug>/results/against/<slug:other>/", studies.against, name="against"),
    path("studies/<slug:slug>/results/planning/", studies.planning, name="planning"),
    path("studies/<slug:slug>/results/stop-rule/", stopping.stop_rule, name="stop-rule"),
]
