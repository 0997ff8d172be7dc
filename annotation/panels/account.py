"""Workers who sign in with an account of this program, from any device."""

from django.http import QueryDict

from annotation.panels.contract import Panel, Recruitment, Visit


class Account(Panel):
    """The worker's id is the user name. Researchers give out one address and the accounts."""

    slug = "account"
    sends_workers, signs_in = False, True
    pays_by_session = False

    def proves(self, query: QueryDict, visit: Visit, recruitment: Recruitment, host: str) -> bool:
        """Always: they have signed in."""
        return True

    def placeholders(self, recruitment: Recruitment) -> str:
        """Empty: the browser's session identifies the worker."""
        return ""

    def frame_origins(self, recruitment: Recruitment) -> tuple[str, ...]:
        """None: in a frame there is no session to be signed in by."""
        return ()


PANEL = Account()
