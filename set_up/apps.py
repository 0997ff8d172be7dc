from django.apps import AppConfig


class SetUpConfig(AppConfig):
    name = "set_up"
    verbose_name = "Set-up"
