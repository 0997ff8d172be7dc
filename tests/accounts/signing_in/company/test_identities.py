"""Which account somebody comes into by the company's provider: connected, found or made."""

from allauth.socialaccount.models import SocialAccount, SocialToken
from django.test import Client
from django.urls import reverse

from accounts.addresses import mark_confirmed
from annotation.models import Change, User
from tests.accounts.signing_in.company.conftest import Configure
from tests.accounts.signing_in.company.visits import come, connect, signed_in
from tests.cast import PASSWORD, make_user
from tests.services.oidc import Provider


def test_a_connected_account_is_signed_in_until_it_is_disconnected(
    client: Client, owner: User, company: Provider, configured: Configure
) -> None:
    configured()
    client.force_login(owner)
    assert connect(client, company, "ann")["Location"] == reverse("desk:account")
    page = client.get(reverse("desk:account")).content.decode()
    assert "connected" in page
    row = SocialAccount.objects.get()
    assert (row.uid, row.extra_data, SocialToken.objects.count()) == ("ann", {}, 0)
    other = Client()
    start = reverse("desk:company") + "?next=" + reverse("desk:profile")
    assert come(other, company, "ann", start)["Location"] == reverse("desk:profile")
    assert signed_in(other) == "owner"
    other.post(reverse("desk:company-disconnect"))
    third = Client()
    come(third, company, "ann")
    assert signed_in(third) == ""
    actions = Change.objects.filter(study=None, account=owner.pk).values_list("action", flat=True)
    assert {"account.company_connected", "account.company_disconnected"} <= set(actions)


def test_a_company_account_is_connected_to_one_account_alone(
    client: Client, owner: User, outsider: User, company: Provider, configured: Configure
) -> None:
    configured()
    client.force_login(owner)
    connect(client, company, "bob")
    client.force_login(outsider)
    connect(client, company, "bob")
    assert SocialAccount.objects.get(uid="bob").user == owner
    page = client.get(reverse("desk:account")).content.decode()
    assert "is connected to another account here" in page


def test_a_confirmed_address_of_a_named_domain_is_enough(
    client: Client, company: Provider, configured: Configure, owner: User
) -> None:
    mark_confirmed(user=owner, email="owner@lab.example")
    company.person("o", email="Owner@lab.example", email_verified=True)
    configured()
    come(client, company, "o")
    assert signed_in(client) == ""  # the provider may verify less than we do
    configured(OIDC_DOMAINS="lab.example")
    company.person("unverified", email="owner@lab.example", email_verified=False)
    come(client, company, "unverified")
    assert signed_in(client) == ""
    come(client, company, "o")
    assert signed_in(client) == "owner"


def test_where_the_settings_say_so_an_account_is_made_without_a_password(
    client: Client, company: Provider, configured: Configure, outsider: User
) -> None:
    configured(OIDC_DOMAINS="lab.example", OIDC_GROUPS="annotators", OIDC_SIGN_UP="true")
    company.person(
        "new", email="outsider@lab.example", email_verified=True, groups=["annotators"],
        name="Eve <b>", preferred_username="OUTSIDER",
    )  # fmt: skip
    come(client, company, "new")
    # The name of somebody else here is not taken from them.
    assert signed_in(client) == "OUTSIDER2"
    made = User.objects.get(username="OUTSIDER2")
    assert (made.email, made.is_superuser) == ("outsider@lab.example", False)
    assert not made.has_usable_password()
    client.post(reverse("desk:company-disconnect"))
    assert SocialAccount.objects.filter(user=made).exists()
    assert "nobody could sign in" in client.get(reverse("desk:account")).content.decode()


def test_an_account_with_a_password_keeps_it(
    client: Client, company: Provider, configured: Configure, db: None
) -> None:
    configured()
    user = make_user("ida")
    client.force_login(user)
    connect(client, company, "ida")
    user.refresh_from_db()
    assert user.check_password(PASSWORD)
