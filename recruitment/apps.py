from django.apps import AppConfig


class RecruitmentConfig(AppConfig):
    name = "recruitment"
    verbose_name = "Recruitment"

    def ready(self) -> None:
        from recruitment import checks  # noqa: F401 (what `manage.py check` says)
