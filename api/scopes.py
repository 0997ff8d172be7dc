"""What a token may be made for. The role of its owner in a study limits it further."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Scope(models.TextChoices):
    """One thing that a program may do by a token."""

    READ = "read", _("read: everything that your role lets you see")
    WRITE = "write", _("write: make and change studies, add answers, open and close, invite")
    MANAGE = "manage", _("manage: change members, webhooks and shared links, archive and delete")
    JUDGES = "judges", _("judges: start, pause and resume judges, which may cost money")
    EXPORT = "export", _("export: ask for exports and fetch their files")
    PAY = "pay", _("pay: see what is owed, make and fetch payment files, adjust pay")
