"""The app of background work."""

from django.apps import AppConfig


class JobsConfig(AppConfig):
    """Jobs, and the workers that carry them out."""

    name = "jobs"
    verbose_name = "Jobs"
