"""The workbench as a Django app."""

from django.apps import AppConfig


class WorkbenchConfig(AppConfig):
    """A judge is improved on one half of a study's sources and tested on the other."""

    name = "workbench"
