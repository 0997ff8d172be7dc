"""The addresses of the data of a study (units, adjudication, exclusions, exports), and of the
background work of all."""

from django.urls import path

from desk.data.adjudication import cases
from desk.data.adjudication import views as adjudication
from desk.data.background import views as background
from desk.data.exclusions import views as exclusions
from desk.data.exports import views as exports
from desk.data.units.views import actions as unit_actions
from desk.data.units.views import table as unit_table
from desk.data.units.views import unit as unit_record

urlpatterns = [
    path("background/", background.background_work, name="background-work"),
    path("background/<int:job_id>/cancel/", background.cancel, name="cancel-background"),
    path("background/<int:job_id>/again/", background.again, name="background-again"),
    path("studies/<slug:slug>/background/", background.background_work, name="background-work"),
    path("studies/<slug:slug>/background/<int:job_id>/", background.background, name="background"),
    path(
        "studies/<slug:slug>/background/<int:job_id>/cancel/",
        background.cancel,
        name="cancel-background",
    ),
    path(
        "studies/<slug:slug>/background/<int:job_id>/again/",
        background.again,
        name="background-again",
    ),
    path("studies/<slug:slug>/exclusions/", exclusions.exclusions, name="exclusions"),
    path("studies/<slug:slug>/exclusions/<int:rule_id>/", exclusions.exclusion, name="exclusion"),
    path(
        "studies/<slug:slug>/exclusions/<int:rule_id>/apply/",
        exclusions.apply,
        name="apply-exclusion",
    ),
    path(
        "studies/<slug:slug>/exclusions/<int:rule_id>/undo/",
        exclusions.revert,
        name="undo-exclusion",
    ),
    path("studies/<slug:slug>/exports/", exports.exports, name="exports"),
    path("studies/<slug:slug>/exports/ask/", exports.ask, name="ask-for-export"),
    path("studies/<slug:slug>/exports/<str:token>/", exports.download, name="export-file"),
    path("studies/<slug:slug>/units/", unit_table.units, name="units"),
    path("studies/<slug:slug>/units/views/", unit_table.save, name="save-view"),
    path(
        "studies/<slug:slug>/units/views/<int:view_id>/remove/",
        unit_table.remove,
        name="remove-view",
    ),
    path("studies/<slug:slug>/units/actions/", unit_actions.propose, name="propose-unit-action"),
    path(
        "studies/<slug:slug>/units/actions/<int:action_id>/",
        unit_actions.action,
        name="unit-action",
    ),
    path(
        "studies/<slug:slug>/units/actions/<int:action_id>/confirm/",
        unit_actions.confirm,
        name="confirm-unit-action",
    ),
    path(
        "studies/<slug:slug>/units/actions/<int:action_id>/undo/",
        unit_actions.undo,
        name="undo-unit-action",
    ),
    path("studies/<slug:slug>/units/<int:unit_id>/", unit_record.unit, name="unit"),
    path("studies/<slug:slug>/adjudication/", adjudication.adjudication, name="adjudication"),
    path(
        "studies/<slug:slug>/adjudication/contested/",
        adjudication.add_contested,
        name="add-contested",
    ),
    path("studies/<slug:slug>/adjudication/audit/", adjudication.add_audit, name="add-audit"),
    path("studies/<slug:slug>/adjudication/next/", adjudication.next_case, name="next-case"),
    path("studies/<slug:slug>/adjudication/results/", adjudication.beside_gold, name="beside-gold"),
    path(
        "studies/<slug:slug>/adjudication/gold/<int:gold_id>/again/",
        adjudication.again,
        name="decide-again",
    ),
    path("studies/<slug:slug>/adjudication/<int:case_id>/", cases.case, name="case"),
    path("studies/<slug:slug>/adjudication/<int:case_id>/draft/", cases.draft, name="save-case"),
]
