"""Wiring only: settings, URLs, Celery and WSGI. Nothing in here knows what a study is."""

# Tasks declared with @shared_task belong to this application as soon as Django has started.
from config.celery import app as celery_app

__all__ = ["celery_app"]
