"""The workers' addresses. None of them tells more than a number or an unguessable token."""

from django.urls import path, register_converter
from django.urls.converters import IntConverter

from annotation.views import (
    arrival,
    ending,
    entering,
    finishing,
    questions,
    rights,
    statement,
    training,
)


class PlaceConverter(IntConverter):
    """A number that any database can compare: nothing in a batch has a place beyond it."""

    regex = "[0-9]{1,5}"


register_converter(PlaceConverter, "place")

app_name = "annotation"
urlpatterns = [
    path("join/<slug:token>/", entering.join, name="join"),
    path("arrive/<slug:slug>/<slug:panel>/", entering.arrive, name="arrive"),
    path("return/<slug:token>/", entering.come_back, name="return"),
    path("work/<slug:slug>/", arrival.lobby, name="lobby"),
    path("work/<slug:slug>/consent/", arrival.consent, name="consent"),
    path("work/<slug:slug>/start/", arrival.start, name="start"),
    path("work/<slug:slug>/leave/", arrival.leave, name="leave"),
    path("work/<slug:slug>/not-me/", entering.not_me, name="not-me"),
    path("work/<slug:slug>/statement/", statement.show, name="statement"),
    path("work/<slug:slug>/end/", ending.end, name="end"),
    path("work/<slug:slug>/my-data/", rights.my_data, name="my-data"),
    path("work/<slug:slug>/my-data/file/", rights.my_data_file, name="my-data-file"),
    path("work/<slug:slug>/withdraw/", rights.withdraw, name="withdraw"),
    path("work/<slug:slug>/debrief/", rights.debrief, name="debrief"),
    path("work/<slug:slug>/examples/<int:number>/", training.example, name="example"),
    path("work/<slug:slug>/tips/", training.tips, name="tips"),
    path("work/<slug:slug>/instructions/", training.comprehension, name="comprehension"),
    path(
        "work/batch/<slug:public_id>/<place:position>/<place:block>/answer/",
        training.feedback,
        name="feedback",
    ),
    path(
        "work/batch/<slug:public_id>/<place:position>/<place:block>/",
        questions.question,
        name="question",
    ),
    path(
        "work/batch/<slug:public_id>/<place:position>/<place:block>/draft/",
        questions.draft,
        name="draft",
    ),
    path("work/batch/<slug:public_id>/extend/", questions.extend, name="extend"),
    path("work/batch/<slug:public_id>/review/", finishing.review, name="review"),
    path("work/batch/<slug:public_id>/submit/", finishing.submit, name="submit"),
    path("work/batch/<slug:public_id>/done/", finishing.done, name="done"),
]
