"""The check of a message's signature, against what the server signs."""

import time

from alerts.webhooks import signature
from jurybox.client import is_genuine

BODY = b'{"id":"1"}'


def test_a_message_is_genuine_under_one_of_its_secrets_and_not_for_long() -> None:
    now = int(time.time())
    header = signature(signing=["new", "old"], body=BODY, at=now)
    assert [is_genuine(header, BODY, [secret]) for secret in ("new", "old", "other")] == [
        *(True, True, False)
    ]
    assert is_genuine(header, BODY, ["other", "old"])
    assert not is_genuine(header, BODY + b" ", ["new"])
    assert not is_genuine(header, BODY, [])
    assert not is_genuine(signature(signing=["new"], body=BODY, at=now - 600), BODY, ["new"])


def test_a_header_of_another_form_is_not_genuine() -> None:
    for header in ("", "nonsense", "t=,v1=", "t=x,v1=ü", f"t={int(time.time())},v1=ü"):
        assert not is_genuine(header, BODY, ["new"])
