"""The addresses of what happens in a study: its overview, alerts, changes."""

from django.urls import URLPattern, URLResolver, include, path

from desk.monitoring.audit import views as audit
from desk.monitoring.notifications import views as alerts
from desk.monitoring.notifications import webhook_views as hook
from desk.monitoring.overview import views as monitoring

# Below the address of a study's alerts, and below that of an account.
_WEBHOOK = [
    path("webhook/", hook.webhook, name="webhook"),
    path("webhook/remove/", hook.remove_webhook, name="remove-webhook"),
    path("webhook/events/", hook.choose_events, name="choose-events"),
    path("webhook/secret/", hook.renew_secret, name="renew-secret"),
    path("webhook/secret/end/", hook.end_old_secret, name="end-old-secret"),
    path("webhook/test/", hook.post_test, name="test-webhook"),
    path("webhook/<int:delivery_id>/again/", hook.send_again, name="send-again"),
]
urlpatterns: list[URLPattern | URLResolver] = [
    path("account/", include(_WEBHOOK)),
    path("studies/<slug:slug>/alerts/", include(_WEBHOOK)),
    path("studies/<slug:slug>/", monitoring.study, name="study"),
    path("studies/<slug:slug>/alerts/", alerts.alerts, name="alerts"),
    path("studies/<slug:slug>/alerts/rules/", alerts.change_rules, name="alert-rules"),
    path("studies/<slug:slug>/alerts/mine/", alerts.subscribe, name="alert-subscription"),
    path("studies/<slug:slug>/alerts/test/", alerts.test_message, name="test-message"),
    path("studies/<slug:slug>/changes/", audit.changes, name="changes"),
    path("studies/<slug:slug>/changes.<str:form>", audit.change_file, name="change-file"),
]
