"""What the roles of a study may do, in words."""

from django.utils.translation import gettext_lazy as _

from annotation.models import Member

Role = Member.Role

# Each may also do what those below it may.
ROLE_WORDS = {
    Role.OWNER: _(
        "Opens and closes the study, manages members, makes pay files, removes workers, and sees "
        "their ids at the panel."
    ),
    Role.EDITOR: _(
        "Changes the study and its material, invites workers, runs judges, writes controls."
    ),
    Role.REVIEWER: _("Reads single answers, accepts or excludes batches, and exports."),
    Role.VIEWER: _("Looks at progress and results, and changes nothing."),
}
