"""The app that compares the answers of people and machines."""

from django.apps import AppConfig


class ResultsConfig(AppConfig):
    """Tables, estimates, reports, figures, dashboards and exports."""

    name = "results"
    verbose_name = "Results"

    def ready(self) -> None:
        """Withdrawn answers of a worker are not kept here either, nor given out."""
        from annotation.rights.withdrawal import answers_withdrawn
        from estimates.kept.columns import drop_kept
        from results.exporting.withdrawn import withdraw_exports

        answers_withdrawn.connect(drop_kept)
        answers_withdrawn.connect(withdraw_exports)
