"""The addresses of what happens in a study: its overview, alerts, changes."""

from django.urls import path

from desk.monitoring.audit import views as audit
from desk.monitoring.notifications import views as alerts
from desk.monitoring.notifications import webhook_views as hook
from desk.monitoring.overview import views as monitoring

urlpatterns = [
    path("studies/<slug:slug>/", monitoring.study, name="study"),
    path("studies/<slug:slug>/alerts/", alerts.alerts, name="alerts"),
    path("studies/<slug:slug>/alerts/rules/", alerts.change_rules, name="alert-rules"),
    path("studies/<slug:slug>/alerts/mine/", alerts.subscribe, name="alert-subscription"),
    path("studies/<slug:slug>/alerts/webhook/", hook.webhook, name="webhook"),
    path("studies/<slug:slug>/alerts/webhook/remove/", hook.remove_webhook, name="remove-webhook"),
    path("studies/<slug:slug>/alerts/webhook/events/", hook.choose_events, name="choose-events"),
    path("studies/<slug:slug>/alerts/webhook/secret/", hook.renew_secret, name="renew-secret"),
    path(
        "studies/<slug:slug>/alerts/webhook/secret/end/", hook.end_old_secret, name="end-old-secret"
    ),
    path(
        "studies/<slug:slug>/alerts/webhook/<int:delivery_id>/again/",
        hook.send_again,
        name="send-again",
    ),
    path("studies/<slug:slug>/alerts/test/", alerts.test_message, name="test-message"),
    path("studies/<slug:slug>/changes/", audit.changes, name="changes"),
    path("studies/<slug:slug>/changes.<str:form>", audit.change_file, name="change-file"),
]
