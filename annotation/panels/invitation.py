"""Invitation links that researchers send themselves."""

from annotation.panels.contract import Panel, Recruitment


class Invitation(Panel):
    """Personal or open invitation links; see `annotation.entry.invitations`."""

    slug = "invitation"
    sends_workers = pays_by_session = False

    def frame_origins(self, recruitment: Recruitment) -> tuple[str, ...]:
        """None: the form behind an open link is checked by a cookie, which frames lose."""
        return ()


PANEL = Invitation()
