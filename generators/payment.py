"""Who pays for what a generator asks, and how much may still be spent."""

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.db.models import F

from annotation.models import Study, User
from endpoints.models import charge
from generators.generator import Generator
from generators.models import WritingCost
from judges.runs.plans.caps import cap_of


@dataclass
class Payer:
    """A study, and the account that asked; no account for commands, which have no limit.

    Costs count as those of judges do: in what the study has cost, and in what the account has spent
    at the endpoint.
    """

    study: Study
    by: User | None = None
    _row: WritingCost | None = field(default=None, init=False, repr=False)

    def cap(self, generator: Generator[Any], max_cost: Decimal | None) -> Decimal | None:
        """USD that may be spent: the cap that is asked for, the endpoint's, and what the account
        may still spend there. RunRefused where that is nothing."""
        return cap_of(generator, max_cost, study=self.study, payer=self.by)

    def pay(self, generator: Generator[Any], usd: Decimal) -> None:
        """Count what an answer has cost."""
        if not usd:
            return
        if self._row is None:
            self._row = WritingCost.objects.create(
                study=self.study, by=self.by, what=generator.name, model=generator.model
            )
        WritingCost.objects.filter(pk=self._row.pk).update(usd=F("usd") + usd)
        endpoint, by = generator.endpoint_name(), self.by
        charge(endpoint=endpoint, user_id=None if by is None else by.pk, usd=usd)
