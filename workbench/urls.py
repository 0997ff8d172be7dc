"""The addresses of the loop."""

from django.urls import path

from workbench import views

app_name = "workbench"
_LOOP = "studies/<slug:slug>/judges/development"
urlpatterns = [
    path(f"{_LOOP}/", views.loop, name="loop"),
    path(f"{_LOOP}/split/", views.split, name="split"),
    path(f"{_LOOP}/judge/<path:name>/", views.judge, name="judge"),
    path(f"{_LOOP}/change/<path:name>/", views.change, name="change"),
    path(f"{_LOOP}/publish/", views.publish, name="publish"),
    path(f"{_LOOP}/card/<int:version>/<path:name>/", views.card, name="card"),
    path(f"{_LOOP}/look/<int:version>/<path:name>/", views.look, name="look"),
]
