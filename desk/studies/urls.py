"""The addresses of the list of studies, and of a study's state."""

from django.urls import path

from desk.studies import example
from desk.studies import views as studies

urlpatterns = [
    path("", studies.home, name="home"),
    path("new-study/example/", example.load_example, name="load-example"),
    path("studies/<slug:slug>/open/", studies.open_, name="open"),
    path("studies/<slug:slug>/close/", studies.close, name="close"),
    path("studies/<slug:slug>/pause/", studies.pause, name="pause"),
    path("studies/<slug:slug>/resume/", studies.resume, name="resume"),
    path("studies/<slug:slug>/try-out/", studies.try_out, name="try-out"),
]
