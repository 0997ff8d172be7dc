"""The panel's own side of a simulation: it sends people by its link, and pays by the codes that
they bring back and by the files that it is given. All of that goes through the workers' pages.

It knows nothing of the ledger: what it has paid is an independent count.
"""

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.test import Client

    from annotation.models import Participation, Study

# The studies as they stand at the panel, with their rewards; all lead to the same link.
REWARDS = {"both": Decimal("1.00"), "pilot": Decimal("1.00"), "main": Decimal("2.70")}
FOR_A_SCREEN_OUT = Decimal("0.30")


@dataclass
class Prolific:
    """Whom it sent, in which of its studies they are, and what it has paid them."""

    study: "Study"
    paid: dict[str, Decimal] = field(default_factory=lambda: defaultdict(Decimal))
    taken: Counter[str] = field(default_factory=Counter)
    _clients: dict[str, "Client"] = field(default_factory=dict)
    _sent_to: dict[str, str] = field(default_factory=dict)

    def send(self, who: str, to: str) -> "Participation":
        """By the link of one of its studies, in a session of its own; who is in has agreed."""
        from django.test import Client
        from django.urls import reverse

        from annotation.entry.consent import consent_hash, give_consent
        from annotation.models import Participation

        query = f"?PROLIFIC_PID={who}&STUDY_ID={to}&SESSION_ID={who}-{to}"
        address = reverse("annotation:arrive", args=[self.study.slug, "prolific"])
        client = self._clients.setdefault(who, Client())
        assert client.post(address + query).status_code == 302
        self._sent_to[who] = to
        participation = Participation.objects.get(study=self.study, worker__external_id=who)
        given = consent_hash(self.study)
        give_consent(participation=participation, text_hash=given, of_age=True)
        return participation

    def ask(self, who: str, *, understood: bool) -> None:
        """The tips, then the check of the instructions: at once right, or wrong to the end."""
        client = self._clients[who]
        client.post(self._page("tips"))
        for number in range(1, 2 if understood else 1 + self.study.comprehension_tries):
            given = {"number": str(number)}
            for position, asked in enumerate(self.study.comprehension):
                right = asked["options"].index(asked["right"])
                given[f"question-{position}"] = str(right if understood else 1 - min(right, 1))
            client.post(self._page("comprehension"), given)

    def take_back(self, who: str, *, vanished: bool = False) -> None:
        """Pay for the code that they find on their page, as a worker would look for it. Who has
        vanished from a batch may find none, and presses nothing."""
        page = self._clients[who].get(self._page("lobby"), follow=True).content.decode()
        found = self._codes(page)
        if not found and vanished:
            return
        if not found:
            page = self._clients[who].post(self._page("start"), follow=True).content.decode()
            found = self._codes(page)
        assert len(found) == 1, f"{who} finds {len(found)} codes"
        kind = self._kinds()[found[0]]
        self.taken[kind] += 1
        reward = REWARDS[self._sent_to[who]]
        self.paid[who] += {"completion": reward, "screenout": FOR_A_SCREEN_OUT}.get(kind, Decimal())

    def pay_file(self) -> None:
        """Have a file made, and pay what it says."""
        from annotation.pay.payouts import NothingOwed, file_text, make_file
        from annotation.pay.rewards import Covers

        usual = Covers.usual(self.study)
        try:
            at = make_file(study=self.study, panel="prolific", currency="USD", covers=usual)
        except NothingOwed:
            return
        for line in (file_text(self.study, at) or "").splitlines():
            who, amount = line.split(",")
            self.paid[who] += Decimal(amount)

    def _page(self, name: str) -> str:
        from django.urls import reverse

        return reverse(f"annotation:{name}", args=[self.study.slug])

    def _codes(self, page: str) -> list[str]:
        return re.findall(r'class="completion-code"><code>(.*?)</code>', page)

    def _kinds(self) -> dict[str, str]:
        kinds = ("completion", "screenout", "return")
        return {self.study.recruitment[f"{kind}_code"]: kind for kind in kinds}
