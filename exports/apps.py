from django.apps import AppConfig


class ExportsConfig(AppConfig):
    name = "exports"
    verbose_name = "Exports"

    def ready(self) -> None:
        """Answers that are withdrawn are not given out any more."""
        from annotation.rights.withdrawal import answers_withdrawn
        from exports.withdrawn import withdraw_exports

        answers_withdrawn.connect(withdraw_exports)
