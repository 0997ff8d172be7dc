"""Machines that answer the same questions as people."""

from django.apps import AppConfig


class JudgesConfig(AppConfig):
    """The app of the judges."""

    name = "judges"
    verbose_name = "Judges"
