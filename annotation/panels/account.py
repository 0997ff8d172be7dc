"""A plain sign-in: whoever has an account of this program takes part by it, from any device."""

from annotation.panels.contract import Panel, Recruitment


class Account(Panel):
    """The id is the account's name. Researchers give out one address, and the accounts."""

    slug = "account"
    signs_in = True
    pays_by_session = False

    def placeholders(self, recruitment: Recruitment) -> str:
        """Nothing: the browser's session says who it is."""
        return ""

    def frame_origins(self, recruitment: Recruitment) -> tuple[str, ...]:
        """None: in a frame there is no session to be signed in by."""
        return ()


PANEL = Account()
