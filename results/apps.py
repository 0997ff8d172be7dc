"""The app that compares the answers of people and machines."""

from django.apps import AppConfig


class ResultsConfig(AppConfig):
    """Tables, estimates, reports, figures, dashboards and exports."""

    name = "results"
    verbose_name = "Results"

    def ready(self) -> None:
        """Withdrawn answers of a worker are not kept here either, nor given out."""
        from annotation.rights.withdrawal import answers_erased
        from results.data.kept.columns import drop_kept
        from results.exporting.withdrawn import withdraw_exports

        answers_erased.connect(drop_kept)
        answers_erased.connect(withdraw_exports)
