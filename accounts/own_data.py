"""What the installation keeps about an account, as its owner may read and download it."""

from typing import Any

from allauth.account.models import EmailAddress

from accounts.models import ColleagueInvitation
from accounts.signing_in.company.identities import connections_of
from accounts.signing_in.factors import factors_of, unused_recovery_codes
from accounts.signing_in.sessions import sessions_of
from annotation.models import User
from annotation.models.changes import Change


def own_data(user: User, *, here: str | None) -> dict[str, Any]:
    """Everything about the person, ready for JSON. No secrets: neither passwords nor keys."""
    return {
        "account": {
            "number": user.pk,
            "user_name": user.get_username(),
            "name": user.get_full_name(),
            "email": user.email,
            "made_at": user.date_joined,
            "last_sign_in": user.last_login,
        },
        "addresses": list(
            EmailAddress.objects.filter(user=user).values("email", "verified").order_by("email")
        ),
        "studies": list(
            user.memberships.order_by("study__slug").values("study__slug", "study__title", "role")
        ),
        "begun_studies": list(user.new_studies.values("started_at", "touched_at", "file_name")),
        "second_factors": list(factors_of(user).values("type", "created_at", "last_used_at")),
        "company_accounts": list(connections_of(user).values("uid", "date_joined", "last_login")),
        "recovery_codes_left": len(unused_recovery_codes(user)),
        "sessions": [
            {"browser": row.browser, "network": row.network, "since": row.at, "here": row.is_here}
            for row in sessions_of(user, here)
        ],
        "invitations_made": list(
            ColleagueInvitation.objects.filter(made_by=user).values(
                "study__slug", "role", "email", "made_at", "accepted_at", "ended_at"
            )
        ),
        "api_tokens": list(
            user.api_tokens.values(
                *("name", "start", "scopes", "study__slug"),
                *("made_at", "expires_at", "revoked_at", "last_used_at"),
            )
        ),
        # All studies that the account owns; without its secret.
        "webhook": list(
            User.objects.filter(pk=user.pk, webhook__isnull=False).values(
                "webhook__url", "webhook__events", "webhook__made_at"
            )
        ),
        "spent_at_endpoints": list(user.spendings.values("endpoint__name", "usd")),
        "changes_made": list(
            Change.objects.filter(account=user.pk)
            .order_by("pk")
            .values("at", "slug", "action", "subject")
        ),
    }
