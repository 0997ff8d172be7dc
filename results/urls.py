"""The addresses of results."""

from django.urls import path

from results import views

app_name = "results"
urlpatterns = [
    path("studies/<slug:slug>/results/", views.dashboard, name="dashboard"),
    path("studies/<slug:slug>/results/as-of/", views.as_of, name="as-of"),
    path("studies/<slug:slug>/results/figure.svg", views.figure, name="figure"),
    path("studies/<slug:slug>/results/units/", views.units, name="units"),
    path("studies/<slug:slug>/results/export/", views.export, name="export"),
    path("studies/<slug:slug>/units/<int:unit_id>/", views.unit, name="unit"),
]
