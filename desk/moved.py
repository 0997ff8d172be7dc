"""Old addresses of pages that are parts of others now."""

from django.urls import path

from annotation.views.moved import moved

urlpatterns = [
    path(f"studies/<slug:slug>/{old}", moved, {"to": page})
    for old, page in (
        ("units/<int:unit_id>/record/", "desk:unit"),
        ("problems/", "desk:reviews"),
        ("invited/", "desk:recruitment"),
        ("set-up/units/", "desk:controls"),
    )
]
