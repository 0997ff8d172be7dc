"""The app that compares the answers of people and machines."""

from django.apps import AppConfig


class ResultsConfig(AppConfig):
    """Tables, figures, dashboards and exports."""

    name = "results"
    verbose_name = "Results"

    def ready(self) -> None:
        """Withdrawn answers of a worker are not kept here either, nor given out."""
        from annotation.rights.withdrawal import answers_withdrawn
        from results.exporting.withdrawn import withdraw_exports
        from results.paper.shared.links import drop_pages

        answers_withdrawn.connect(drop_pages)
        answers_withdrawn.connect(withdraw_exports)
