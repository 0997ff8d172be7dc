from django.apps import AppConfig


class LabelTableConfig(AppConfig):
    name = "label_table"
    verbose_name = "Label table"
