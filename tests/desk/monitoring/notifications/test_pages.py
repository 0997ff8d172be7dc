"""The page of alerts: who may see and set what."""

from datetime import timedelta
from typing import Any

from django.test import Client
from django.urls import reverse
from django.utils import timezone

from alerts.models import Alert, Delivery, Subscription, Webhook
from annotation.models import Member, Study, User
from desk.monitoring.notifications.forms import RulesForm
from desk.monitoring.notifications.rules import rules_of
from imports.study_file.writing import study_keys
from set_up.study_files.beginnings import pack
from tests.cast import join, make_user
from tests.sessions import as_user

NOW = timezone.now()
BUTTONS = (
    "alert-rules",
    "alert-subscription",
    "webhook",
    "remove-webhook",
    "test-message",
    "test-webhook",
)


def address(study: Study, name: str = "alerts") -> str:
    return reverse(f"desk:{name}", args=[study.slug])


def rules(study: Study, **typed: Any) -> dict[str, Any]:
    """The form as it is posted, with the rules that it begins with."""
    form = RulesForm(rules_of(study))
    standing = {name: form[name].value() for name in form.fields if name != "begun"}
    # A box that is not ticked is not posted.
    sent = {n: "" if v is None else v for n, v in {**standing, **typed}.items() if v is not False}
    return {**sent, "begun": pack(dict(rules_of(study)))}


def test_an_outsider_sees_and_presses_nothing(study: Study, outsider: User) -> None:
    client = as_user(outsider)
    assert client.get(address(study)).status_code == 404
    assert {client.post(address(study, name)).status_code for name in BUTTONS} == {404}


def test_a_viewer_sees_alerts_and_neither_rules_nor_messages(study: Study, colleague: User) -> None:
    Alert.objects.create(study=study, kind="judges", message="It failed.", since=NOW)
    Webhook.objects.create(study=study, url="https://example.org/x", secret="s3", made_at=NOW)
    client = as_user(colleague)
    page = client.get(address(study)).content.decode()
    assert "It failed." in page
    assert "example.org" not in page
    assert address(study, "alert-rules") not in page
    for name in ("alert-rules", "webhook", "remove-webhook", "test-webhook"):
        assert client.post(address(study, name)).status_code == 403


def test_the_page_takes_the_same_queries_however_many_alerts(
    study: Study, owner: User, django_assert_num_queries: Any
) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    client = as_user(owner)
    client.get(address(study))
    with CaptureQueriesContext(connection) as before:
        client.get(address(study))
    for n in range(5):
        Alert.objects.create(study=study, kind=f"k{n}", message="x", since=NOW, ended_at=NOW)
        Alert.objects.create(study=study, kind=f"k{n}", message="x", since=NOW)
    with django_assert_num_queries(len(before) + 1):  # the page of past ones
        client.get(address(study))


def test_thresholds_are_keys_of_the_study_file(study: Study, owner: User) -> None:
    client = as_user(owner)
    sent = rules(study, budget="50.00", warn_at="90", pause="on", fast_share="", silent_hours="6")
    assert client.post(address(study, "alert-rules"), sent).status_code == 302
    study.refresh_from_db()
    keys = study_keys(study)
    assert keys["budget"] == {"amount": "50.00", "warn_at": 0.9, "pause": True}
    assert keys["alerts"] == {"fast_share": None, "silent_hours": 6}
    row = study.changes.get(action="alerts.set")
    assert row.detail["after"]["alerts"] == keys["alerts"]
    again = client.get(address(study)).context["rules_form"]
    assert (again["fast_share"].value(), again["control_accuracy"].value()) == (None, 60)


def test_a_wrong_threshold_is_said_and_kept(study: Study, owner: User) -> None:
    page = as_user(owner).post(address(study, "alert-rules"), rules(study, silent_hours="0"))
    assert page.status_code == 422
    assert page.context["rules_form"]["silent_hours"].value() == "0"


def test_the_second_of_two_editors_sees_both_joined(study: Study, owner: User) -> None:
    client, mine = as_user(owner), rules(study, silent_hours="6")
    client.post(address(study, "alert-rules"), rules(study, judge_failures="50"))
    study.refresh_from_db()
    page = client.post(address(study, "alert-rules"), mine)
    assert page.status_code == 409
    form, merge = page.context["rules_form"], page.context["meanwhile"]
    assert (form["silent_hours"].value(), form["judge_failures"].value()) == (6, 50)
    assert (merge.mine, merge.theirs) == (["alerts.silent_hours"], ["alerts.judge_failures"])
    shown = {name: form[name].value() for name in form.fields if name != "pause"}
    joined = {name: "" if value is None else value for name, value in shown.items()}
    joined["begun"] = pack(form["begun"].initial)
    assert client.post(address(study, "alert-rules"), joined).status_code == 302
    study.refresh_from_db()
    assert study.alert_rules == {"silent_hours": 6, "judge_failures": 0.5}


def test_who_was_removed_gets_back_what_they_typed(study: Study) -> None:
    editor = make_user("editor")
    join(study, editor, Member.Role.EDITOR)
    client, sent = as_user(editor), rules(study, budget="123.45")
    study.members.filter(user=editor).delete()
    page = client.post(address(study, "alert-rules"), sent)
    assert page.status_code == 404
    assert "123.45" in page.content.decode()


def test_the_secret_of_a_webhook_is_shown_once(study: Study, owner: User) -> None:
    client = as_user(owner)
    page = client.post(address(study, "webhook"), {"url": "https://example.org/hook"})
    secret = study.webhook.secret
    assert secret in page.content.decode()
    assert secret not in client.get(address(study)).content.decode()
    assert secret not in str(list(study.changes.values()))
    again = client.post(address(study, "webhook"), {"url": "https://example.org/hook"})
    assert secret not in again.content.decode()  # a new one each time
    refused = client.post(address(study, "webhook"), {"url": "file:///etc/passwd"})
    assert refused.status_code == 422


def test_a_member_subscribes_for_themselves(study: Study, colleague: User, settings: Any) -> None:
    settings.EMAIL_ENABLED = True
    colleague.email = "c@example.org"
    colleague.save()
    client = as_user(colleague)
    sent = {"by_email": "on", "kinds": ["judges", "agreement"]}
    assert client.post(address(study, "alert-subscription"), sent).status_code == 302
    row = Subscription.objects.get()
    assert (row.member.user, row.by_email) == (colleague, True)
    assert "silence" in row.without
    assert "judges" not in row.without
    client.post(address(study, "test-message"))
    message = Delivery.objects.get()
    assert (message.event, message.member) == ("test", row.member)


def test_without_an_address_no_test_is_sent(study: Study, owner: User, client: Client) -> None:
    as_user(owner).post(address(study, "test-message"))
    as_user(owner).post(address(study, "test-webhook"))
    assert not Delivery.objects.exists()


def test_a_test_message_is_sent_once_a_minute(
    study: Study, owner: User, colleague: User, settings: Any
) -> None:
    settings.EMAIL_ENABLED = True
    User.objects.update(email="somebody@example.org")
    for _ in range(3):
        as_user(owner).post(address(study, "test-message"))
    assert study.deliveries.count() == 1
    as_user(colleague).post(address(study, "test-message"))
    assert study.deliveries.count() == 2
    study.deliveries.update(made_at=NOW - timedelta(minutes=2))
    as_user(owner).post(address(study, "test-message"))
    assert study.deliveries.count() == 3
