from django.apps import AppConfig


class AlertsConfig(AppConfig):
    name = "desk.monitoring.alerts"
    verbose_name = "Alerts"
