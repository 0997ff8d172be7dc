from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "api"
    verbose_name = "REST API"

    def ready(self) -> None:
        from annotation.rights.withdrawal import answers_withdrawn
        from api.tokens import forget_answered

        answers_withdrawn.connect(forget_answered)
