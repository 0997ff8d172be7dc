"""Who may ask an endpoint of the page *Models*, and for how much."""

from decimal import Decimal

from annotation.models import Member, Study, User
from endpoints.endpoint import BadEndpoint
from endpoints.models import ModelEndpoint
from endpoints.registry import written_endpoints
from endpoints.stored import models_of, priced_models


class NotAllowed(ValueError):
    """The account may not ask the endpoint, or no more of it; the message says whom to turn to."""


def usd_left(name: str, *, user: User | None, study: Study) -> Decimal | None:
    """USD that an account may still spend at an endpoint, in runs of a study; None: no limit.

    Operators have none, nor have commands (user: None) and endpoints outside the page *Models*.
    NotAllowed where the account may not ask it, or has spent all.
    """
    row = ModelEndpoint.objects.filter(name=name).first()
    if row is None or user is None or user.is_superuser:
        return None
    limit = _limit(row, user, study)
    if limit is None:
        return None
    left = limit - spent_by(user, at=row)
    if left <= 0:
        raise NotAllowed(
            f"endpoint: you have spent the {limit:.2f} USD that you may spend at {name}; ask the "
            "operator of this installation for more"
        )
    return left


def spent_by(user: User, *, at: ModelEndpoint) -> Decimal:
    """USD that an account has spent at an endpoint."""
    spending = at.spendings.filter(user=user).first()
    return Decimal(0) if spending is None else spending.usd


def usable_endpoints(*, user: User, study: Study) -> list[ModelEndpoint]:
    """The endpoints of the page *Models* that an account may ask in a study."""
    usable = []
    for row in ModelEndpoint.objects.prefetch_related("prices"):
        try:
            usd_left(row.name, user=user, study=study)
        except NotAllowed:
            continue
        usable.append(row)
    return usable


def _limit(row: ModelEndpoint, user: User, study: Study) -> Decimal | None:
    if row.users == ModelEndpoint.Users.OWNERS:
        if Member.objects.filter(study=study, user=user, role=Member.Role.OWNER).exists():
            return row.max_user_usd
        raise NotAllowed(
            f"endpoint: only owners of a study may ask {row.name}; an owner can start this"
        )
    named = row.named.filter(user=user).first()
    if named is None:
        raise NotAllowed(
            f"endpoint: your account may not ask {row.name}; the operator of this installation can "
            "add it on the page Models"
        )
    return row.max_user_usd if named.max_usd is None else named.max_usd


def choosable_models(*, user: User | None, study: Study) -> dict[str, list[str]]:
    """The models that an account can choose in a study, by endpoint; of files those with prices."""
    try:
        models = {name: priced_models(made) for name, made in written_endpoints().items()}
    except BadEndpoint:
        models = {}
    rows = [] if user is None else usable_endpoints(user=user, study=study)
    return models | {row.name: models_of(row) for row in rows}
