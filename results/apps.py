"""The app in which people and machines meet."""

from django.apps import AppConfig


class ResultsConfig(AppConfig):
    """Tables, estimates, reports, figures, dashboards and exports."""

    name = "results"
    verbose_name = "Results"
