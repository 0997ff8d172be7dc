"""The page of one's own account, passwords, sessions and erasure."""

import json
import time
from http import HTTPStatus

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.sessions.backends.base import UpdateError
from django.core import mail
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client, RequestFactory
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries, DjangoCaptureOnCommitCallbacks, Settings

from accounts import tasks
from accounts.accounts import OwnsStudies, erase_account
from accounts.signing_in.factors import has_second_factor
from accounts.signing_in.passwords import mail_reset_links, reset_path
from accounts.signing_in.sessions import browser_name, coarse
from accounts.site import address_of
from annotation.models import BrowserSession, Change, Member, Study, User
from tests.accounts.codes import code_for, connect_app
from tests.cast import PASSWORD, make_user
from tests.sessions import as_user

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
NEW = {"new_password1": "three words apart", "new_password2": "three words apart"}


@pytest.fixture
def mailing(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """E-mail is on, and what workers are asked to do is done at once."""
    settings.EMAIL_ENABLED = True
    app = "accounts.mails.current_app.send_task"
    monkeypatch.setattr(app, lambda _name, args, **_more: tasks.mail(*args))


def ask_for_link(email: str) -> tuple[int, str, str]:
    """What somebody who asks for a new password gets to see."""
    client = Client()
    answer = client.post(reverse("desk:forgotten-password"), {"email": email})
    page = client.get(answer.headers["Location"]).content.decode()
    return answer.status_code, answer.headers["Location"], page[page.index("<main") :]


def visible(page: str) -> str:
    """A page without the tokens of its forms, which are new each time."""
    lines = [line for line in page.splitlines() if "csrfmiddlewaretoken" not in line]
    return "\n".join(lines)


# --- Forgotten passwords ------------------------------------------------------------------------


def test_asking_for_a_new_password_does_not_tell_who_has_an_account(
    owner: User, mailing: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    User.objects.filter(pk=owner.pk).update(email="owner@example.org")
    messages: list[list[str]] = []
    app = "accounts.signing_in.passwords.current_app.send_task"
    monkeypatch.setattr(app, lambda _name, args, **_more: messages.append(args))
    known, unknown = ask_for_link("owner@example.org"), ask_for_link("nobody@example.org")
    assert known[:2] == unknown[:2]
    assert visible(known[2]) == visible(unknown[2])
    assert [email for email, _site in messages] == ["owner@example.org", "nobody@example.org"]
    assert mail.outbox == []  # the page itself looks for nobody


def test_a_link_to_a_new_password_works_once_and_signs_nobody_in(
    client: Client, owner: User, mailing: None
) -> None:
    User.objects.filter(pk=owner.pk).update(email="owner@example.org")
    elsewhere = as_user(owner)
    assert mail_reset_links(email="OWNER@example.org", site="http://testserver") == 1
    assert mail_reset_links(email="owner@example.org", site="http://testserver") == 0  # so soon
    link = next(line for line in mail.outbox[0].body.splitlines() if line.startswith("http"))
    form = client.get(link, follow=True)
    done = client.post(form.redirect_chain[-1][0], NEW)
    assert done.headers["Location"] == reverse("desk:sign-in")
    assert client.get(reverse("desk:account")).status_code == HTTPStatus.FOUND
    assert elsewhere.get(reverse("desk:account")).status_code == HTTPStatus.FOUND
    assert "was used already" in Client().get(link, follow=True).content.decode()
    assert User.objects.get().check_password(NEW["new_password1"])


def test_a_link_to_a_new_password_is_for_one_account(owner: User, outsider: User) -> None:
    theirs, mine = reset_path(owner).split("/"), reset_path(outsider).split("/")
    crossed = "/".join([*theirs[:3], mine[3], ""])
    assert "was used already" in Client().get(crossed, follow=True).content.decode()


def test_a_deactivated_account_is_sent_nothing(owner: User, mailing: None) -> None:
    User.objects.update(email="owner@example.org", is_active=False)
    assert mail_reset_links(email="owner@example.org", site="http://testserver") == 0


def test_without_e_mail_the_page_says_who_helps(client: Client, db: None) -> None:
    page = client.get(reverse("desk:forgotten-password")).content.decode()
    assert "sends no e-mail" in page


def test_the_operators_command_makes_a_link_and_takes_lost_factors_away(
    owner: User, capsys: pytest.CaptureFixture[str]
) -> None:
    connect_app(owner)
    call_command("password_link", "owner", "--remove-second-factors", site="https://a.example")
    assert capsys.readouterr().out.startswith("https://a.example/new-password/")
    assert not has_second_factor(owner)
    with pytest.raises(CommandError, match="nobody"):
        call_command("password_link", "nobody")


def test_links_of_commands_and_mails_begin_with_the_address_of_the_site(
    owner: User, settings: Settings, capsys: pytest.CaptureFixture[str], rf: RequestFactory
) -> None:
    settings.SITE_URL = "https://jurybox.example.org"
    call_command("password_link", "owner")
    assert capsys.readouterr().out.startswith("https://jurybox.example.org/new-password/")
    request = rf.get("/", headers={"host": "localhost"})
    assert address_of("/x/", request) == "https://jurybox.example.org/x/"
    settings.SITE_URL = ""
    assert address_of("/x/", request) == "http://localhost/x/"
    assert address_of("/x/") == ""


def test_a_new_password_does_not_replace_the_second_step(client: Client, owner: User) -> None:
    connect_app(owner)
    form = client.get(reset_path(owner), follow=True)
    client.post(form.redirect_chain[-1][0], NEW)
    sent = client.post("/sign-in/", {"username": "owner", "password": NEW["new_password1"]})
    assert sent.headers["Location"] == reverse("desk:second-step")


# --- Sessions -----------------------------------------------------------------------------------


def test_sessions_are_listed_with_browser_and_coarse_place_and_this_one_first(
    owner: User, outsider: User
) -> None:
    as_user(outsider)
    sent = {"username": "owner", "password": PASSWORD}
    here = Client(REMOTE_ADDR="198.51.100.7", headers={"user-agent": FIREFOX})
    here.post("/sign-in/", sent)
    as_user(owner)
    page = here.get(reverse("desk:account"))
    first, second = page.context["sessions"]
    assert (first.browser, first.network, first.is_here) == ("Firefox, Linux", "198.51.…", True)
    assert not second.is_here
    keys = BrowserSession.objects.values_list("pk", flat=True)
    assert not any(key in page.content.decode() for key in keys)


def test_one_session_is_ended_and_only_ones_own(owner: User, outsider: User) -> None:
    here, there, foreign = as_user(owner), as_user(owner), as_user(outsider)
    _this, other = here.get(reverse("desk:account")).context["sessions"]
    address = reverse("desk:end-session", args=[other.number])
    foreign.post(address)
    assert there.get(reverse("desk:account")).status_code == HTTPStatus.OK
    here.post(address)
    assert there.get(reverse("desk:account")).status_code == HTTPStatus.FOUND
    assert here.get(reverse("desk:account")).status_code == HTTPStatus.OK


@pytest.mark.parametrize("name", ["end-sessions", "password"])
def test_all_other_sessions_end_at_once_and_by_a_new_password(owner: User, name: str) -> None:
    here, there = as_user(owner), as_user(owner)
    here.post(reverse(f"desk:{name}"), {"old_password": PASSWORD, **NEW})
    assert there.get(reverse("desk:account")).status_code == HTTPStatus.FOUND
    assert here.get(reverse("desk:account")).status_code == HTTPStatus.OK
    assert BrowserSession.objects.count() == 1


def test_an_ended_session_is_not_written_back(owner: User) -> None:
    client = as_user(owner)
    session = client.session
    session["more"] = 1
    BrowserSession.objects.all().delete()
    with pytest.raises(UpdateError):
        session.save()
    assert not BrowserSession.objects.exists()


def test_browsers_and_addresses_are_named_coarsely() -> None:
    chrome = "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36"
    assert (browser_name(FIREFOX), browser_name(chrome)) == ("Firefox, Linux", "Chromium, Windows")
    assert (browser_name(""), browser_name(f"{chrome} Edg/140.0")) == ("", "Edge, Windows")
    assert (coarse("192.0.2.77"), coarse("2001:db8::7"), coarse("?")) == (
        "192.0.…",
        "2001:0db8:…",
        "",
    )


# --- Factors, name and address ------------------------------------------------------------------


def test_an_app_is_connected_by_its_code_and_recovery_codes_are_shown_once(owner: User) -> None:
    client, elsewhere = as_user(owner), as_user(owner)
    page = client.get(reverse("desk:second-factor"))
    assert "style=" not in page.context["picture"]
    wrong = client.post(reverse("desk:second-factor"), {"code": "000000"})
    assert wrong.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    sent = {"code": code_for(page.context["secret"])}
    done = client.post(reverse("desk:second-factor"), sent)
    codes = client.get(done.headers["Location"]).context["codes"]
    assert len(set(codes)) == 10
    assert client.get(done.headers["Location"]).context["codes"] == []
    assert elsewhere.get(reverse("desk:account")).status_code == HTTPStatus.FOUND


def test_what_changes_signing_in_asks_for_the_password_again_after_a_while(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect_app(owner)
    factor = Authenticator.objects.get(type="totp")
    client, now = as_user(owner), time.time
    monkeypatch.setattr("accounts.signing_in.steps.time.time", lambda: now() + 3600)
    pages = ["second-factor", "passkeys", "recovery-codes", "profile", "erase-account"]
    for name in pages:
        led = client.get(reverse(f"desk:{name}")).headers["Location"]
        assert led.startswith(reverse("desk:confirm")), name
    remove = reverse("desk:remove-factor", args=[factor.pk])
    client.post(remove)
    assert has_second_factor(owner)
    wrong = client.post(reverse("desk:confirm"), {"password": "guess"})
    assert wrong.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    client.post(reverse("desk:confirm"), {"password": PASSWORD})
    client.post(remove)
    assert not Authenticator.objects.exists()


def test_the_password_cannot_be_guessed_where_it_is_asked_for_again(owner: User) -> None:
    client = as_user(owner)
    last = [client.post(reverse("desk:confirm"), {"password": f"guess {n}"}) for n in range(10)][-1]
    assert last.status_code == HTTPStatus.TOO_MANY_REQUESTS


def test_nobody_removes_the_factor_of_another(owner: User, outsider: User) -> None:
    connect_app(owner)
    factor = Authenticator.objects.get(type="totp")
    sent = as_user(outsider).post(reverse("desk:remove-factor", args=[factor.pk]))
    assert sent.status_code == HTTPStatus.NOT_FOUND


def test_a_new_address_counts_once_its_link_was_opened_by_its_account(
    owner: User,
    outsider: User,
    mailing: None,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    client = as_user(owner)
    with django_capture_on_commit_callbacks(execute=True):
        client.post(reverse("desk:profile"), {"name": "O. Wner", "email": "o@example.org"})
    owner.refresh_from_db()
    assert (owner.get_full_name(), owner.email) == ("O. Wner", "")
    link = next(line for line in mail.outbox[0].body.splitlines() if line.startswith("http"))
    as_user(outsider).post(link)
    client.post(link + "x")
    client.get(link)
    assert not EmailAddress.objects.filter(verified=True).exists()
    client.post(link)
    owner.refresh_from_db()
    assert owner.email == "o@example.org"
    assert EmailAddress.objects.get(verified=True).user == owner


def test_an_address_is_confirmed_by_one_account_only(
    owner: User,
    outsider: User,
    mailing: None,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    EmailAddress.objects.create(user=outsider, email="o@example.org", verified=True, primary=True)
    client = as_user(owner)
    with django_capture_on_commit_callbacks(execute=True):
        client.post(reverse("desk:profile"), {"name": "", "email": "o@example.org"})
    link = next(line for line in mail.outbox[0].body.splitlines() if line.startswith("http"))
    client.post(link)
    assert not EmailAddress.objects.filter(user=owner, verified=True).exists()


# --- Data and erasure ---------------------------------------------------------------------------


def test_the_file_about_an_account_holds_no_secret(study: Study, owner: User) -> None:
    secret = connect_app(owner)
    client = as_user(owner)
    text = client.get(reverse("desk:own-data")).content.decode()
    data = json.loads(text)
    assert data["studies"] == [
        {"study__slug": "small", "study__title": "A small study", "role": "owner"}
    ]
    assert data["second_factors"][0]["type"] == "totp"
    owner.refresh_from_db()
    for kept in (secret, owner.password, client.session.session_key or "?"):
        assert kept not in text


def test_an_erased_account_leaves_studies_whole(study: Study, owner: User, colleague: User) -> None:
    with pytest.raises(OwnsStudies):
        erase_account(user=owner, by=owner)
    Member.objects.filter(user=colleague).update(role=Member.Role.OWNER)
    units, number = study.units.count(), owner.pk
    client = as_user(owner)
    client.post(reverse("desk:erase-account"), {"username": "somebody"})
    assert User.objects.filter(pk=number).exists()
    client.post(reverse("desk:erase-account"), {"username": "owner"})
    assert not User.objects.filter(pk=number).exists()
    assert (study.units.count(), study.members.get().user) == (units, colleague)
    assert not BrowserSession.objects.filter(account=number).exists()
    assert Change.objects.get(action="account.erased").subject == f"account:{number}"


def test_the_page_of_an_account_asks_as_much_for_many_sessions(
    study: Study, owner: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(5):
        client = as_user(owner)
    with django_assert_max_num_queries(9):
        client.get(reverse("desk:account"))


PAGES = [
    "account", "profile", "confirm", "second-factor", "passkeys", "recovery-codes", "own-data",
    "erase-account", "password",
]  # fmt: skip


@pytest.mark.parametrize("name", PAGES)
def test_a_visitor_has_no_account(client: Client, db: None, name: str) -> None:
    assert client.get(reverse(f"desk:{name}")).headers["Location"].startswith("/sign-in/")


# --- The operator -------------------------------------------------------------------------------

OPERATORS = ["one-account", "activate-account", "permit-studies", "reset-link", "drop-factors",
             "erase-other"]  # fmt: skip


@pytest.fixture
def operator(db: None) -> User:
    return User.objects.create_superuser("operator", password=PASSWORD)


@pytest.mark.parametrize("name", OPERATORS)
def test_only_operators_see_accounts(owner: User, outsider: User, name: str) -> None:
    client, address = as_user(outsider), reverse(f"desk:{name}", args=[owner.pk])
    assert client.get(reverse("desk:accounts")).status_code == HTTPStatus.NOT_FOUND
    assert client.post(address, {"username": "owner"}).status_code == HTTPStatus.NOT_FOUND
    owner.refresh_from_db()
    assert owner.is_active


def test_an_operator_deactivates_and_activates(owner: User, operator: User) -> None:
    theirs, client = as_user(owner), as_user(operator)
    address = reverse("desk:activate-account", args=[owner.pk])
    client.post(address)
    assert theirs.get(reverse("desk:account")).status_code == HTTPStatus.FOUND
    client.post(address)
    owner.refresh_from_db()
    assert owner.is_active
    own = reverse("desk:activate-account", args=[operator.pk])
    assert client.post(own).status_code == HTTPStatus.NOT_FOUND


def test_an_operator_makes_a_link_to_a_new_password_which_is_shown_once(
    owner: User, operator: User
) -> None:
    client, page = as_user(operator), reverse("desk:one-account", args=[owner.pk])
    client.post(reverse("desk:reset-link", args=[owner.pk]))
    assert client.get(page).context["made_link"].startswith("http://testserver/new-password/")
    assert client.get(page).context["made_link"] == ""
    assert Change.objects.get(action="account.reset_link_made").account == operator.pk


def test_an_operator_erases_an_account_and_inherits_its_studies(
    study: Study, owner: User, operator: User
) -> None:
    client, address = as_user(operator), reverse("desk:erase-other", args=[owner.pk])
    client.post(address, {"username": "wrong"})
    assert User.objects.filter(pk=owner.pk).exists()
    client.post(address, {"username": "owner"})
    assert study.members.get(role=Member.Role.OWNER).user == operator


def test_who_may_make_studies(owner: User, operator: User, settings: Settings) -> None:
    client, page = as_user(owner), reverse("desk:new-study")
    assert client.get(page).status_code == HTTPStatus.OK
    settings.STUDY_MAKERS = "permitted"
    assert client.get(page).status_code == HTTPStatus.FORBIDDEN
    assert page not in client.get(reverse("desk:home")).content.decode()
    as_user(operator).post(reverse("desk:permit-studies", args=[owner.pk]), {"yes": "1"})
    assert client.get(page).status_code == HTTPStatus.OK
    as_user(operator).post(reverse("desk:permit-studies", args=[owner.pk]))
    assert client.get(page).status_code == HTTPStatus.FORBIDDEN


def test_the_list_of_accounts_asks_as_much_for_many(
    operator: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(15):
        make_user(f"user-{number}")
    client = as_user(operator)
    with django_assert_max_num_queries(5):
        client.get(reverse("desk:accounts"))


@pytest.mark.parametrize("credential", ["7", "[]", "not JSON", '{"response": 7}'])
def test_a_passkey_that_is_none_is_refused_in_words(owner: User, credential: str) -> None:
    client = as_user(owner)
    client.post(reverse("desk:confirm"), {"password": PASSWORD})
    refused = client.post(reverse("desk:passkeys"), {"name": "phone", "credential": credential})
    assert refused.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "was not valid" in refused.content.decode()
