"""The app that computes estimates."""

from django.apps import AppConfig


class EstimatesConfig(AppConfig):
    """The data of a study, the metrics, and reports of their estimates."""

    name = "estimates"
    verbose_name = "Estimates"

    def ready(self) -> None:
        """Withdrawn answers of a worker are not kept here either."""
        from annotation.rights.withdrawal import answers_withdrawn
        from estimates.kept.columns import drop_kept

        answers_withdrawn.connect(drop_kept)
