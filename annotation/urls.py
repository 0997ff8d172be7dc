"""The URLs of the workers' pages. They hold slugs, numbers and unguessable tokens only."""

from django.urls import path, register_converter
from django.urls.converters import IntConverter

from annotation.views import (
    ending,
    entrance,
    lobby,
    questionnaire,
    questions,
    rights,
    statement,
    submission,
    training,
)


class PlaceConverter(IntConverter):
    """A number within a small integer. A batch holds 3,000 units at most, so four digits do."""

    regex = "[0-9]{1,4}"


register_converter(PlaceConverter, "place")

app_name = "annotation"
urlpatterns = [
    # First what is asked for most: addresses are looked for in this order.
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
    path("join/<slug:token>/", entrance.join, name="join"),
    path("arrive/<slug:slug>/<slug:panel>/", entrance.arrive, name="arrive"),
    path("return/", entrance.recover, name="recover"),
    path("return/<slug:token>/", entrance.come_back, name="return"),
    path("work/<slug:slug>/", lobby.lobby, name="lobby"),
    path("work/<slug:slug>/consent/", lobby.consent, name="consent"),
    path("work/<slug:slug>/start/", lobby.start, name="start"),
    path("work/<slug:slug>/leave/", lobby.leave, name="leave"),
    path("work/<slug:slug>/keys/", questions.keys, name="keys"),
    path("work/<slug:slug>/not-me/", entrance.not_me, name="not-me"),
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
        "work/<slug:slug>/questionnaire/<slug:when>/",
        questionnaire.questionnaire,
        name="questionnaire",
    ),
    path(
        "work/batch/<slug:public_id>/<place:position>/<place:block>/answer/",
        training.feedback,
        name="feedback",
    ),
    path("work/batch/<slug:public_id>/extend/", questions.extend, name="extend"),
    path("work/batch/<slug:public_id>/review/", submission.review, name="review"),
    path("work/batch/<slug:public_id>/submit/", submission.submit, name="submit"),
    path("work/batch/<slug:public_id>/done/", submission.done, name="done"),
]
