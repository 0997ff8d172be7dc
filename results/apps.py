"""The app in which people and machines meet."""

from django.apps import AppConfig


class ResultsConfig(AppConfig):
    """Tables, estimates, reports, figures, dashboards and exports."""

    name = "results"
    verbose_name = "Results"

    def ready(self) -> None:
        """What a worker takes back is not kept here either."""
        from annotation.rights.withdrawal import answers_erased
        from results.data.kept.columns import drop_kept

        answers_erased.connect(drop_kept)
