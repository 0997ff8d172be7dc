"""The app that compares the answers of people and machines."""

from django.apps import AppConfig


class ResultsConfig(AppConfig):
    """Tables, figures and dashboards."""

    name = "results"
    verbose_name = "Results"

    def ready(self) -> None:
        """Withdrawn answers are not kept here either, nor given out; what lists of units show is
        renewed with the report."""
        from annotation.rights.withdrawal import answers_withdrawn
        from estimates.report.recount import study_counted
        from results.paper.shared.links import drop_pages
        from results.units.distances import keep_distances

        answers_withdrawn.connect(drop_pages)
        study_counted.connect(keep_distances)
