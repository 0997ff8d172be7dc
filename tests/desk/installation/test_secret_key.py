"""Whether the secret key is the one that stored texts were encrypted with."""

from typing import Any

from annotation.entry.invitations import invite
from annotation.models import Study
from desk.installation.findings import Severity
from desk.installation.secret_key import secret_key


def test_where_nothing_is_encrypted_every_key_is_right(db: None) -> None:
    assert secret_key().state is Severity.OK


def test_texts_of_another_key_alone_say_that_it_was_changed(study: Study, settings: Any) -> None:
    before = settings.SECRET_KEY
    invite(study=study, created_by=None)
    assert secret_key().state is Severity.OK
    settings.SECRET_KEY = "of-another-installation"
    assert "SECRET_KEY is another one" in secret_key().text
    settings.SECRET_KEY_FALLBACKS = [before]
    assert secret_key().state is Severity.OK


def test_the_first_text_of_the_new_key_ends_the_warning(study: Study, settings: Any) -> None:
    invite(study=study, created_by=None)
    settings.SECRET_KEY = "changed-on-purpose"
    assert secret_key().state is Severity.FAILS
    invite(study=study, created_by=None)
    assert secret_key().state is Severity.OK
