"""Django's pages of tables, for superusers: to look things up, hardly to change any.

Only what is registered here is shown. No secret is: neither passwords, tokens and second factors
nor sessions. Workers and their ids at panels, answers and pay are on the pages of their studies, by
the rules of those.
"""

from typing import TYPE_CHECKING, Any

from axes.models import AccessAttempt
from django.contrib.admin import AdminSite, ModelAdmin
from django.contrib.auth.views import LogoutView, redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from accounts.models import ColleagueInvitation
from annotation.models import Change, Member, Study, User
from judges.models import JudgeRun

if TYPE_CHECKING:
    Rows = ModelAdmin[Any]
else:
    Rows = ModelAdmin


class InstallationSite(AdminSite):
    """For active superusers, who sign in as everybody does: with their second factor. For others
    the pages do not exist."""

    site_header = site_title = "Jurybox"
    index_title = "Tables of this installation"
    site_url = "/"
    enable_nav_sidebar = False

    def has_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_active and request.user.is_superuser)

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        inner = super().admin_view(view, cacheable)

        def page(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            if request.user.is_authenticated and not self.has_permission(request):
                raise Http404("No such page.")
            return inner(request, *args, **kwargs)

        return page

    def login(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        if request.user.is_authenticated:
            raise Http404("No such page.")
        return redirect_to_login(request.GET.get("next") or reverse("admin:index"))

    def logout(self, request: HttpRequest, extra_context: Any = None) -> Any:
        return LogoutView.as_view()(request)

    def password_change(self, request: HttpRequest, extra_context: Any = None) -> Any:
        return redirect("desk:password")


class ReadOnly(Rows):
    """Rows to look at. What is shown is listed, so that a new column is not."""

    shown: tuple[str, ...] = ()
    actions = None
    list_per_page = 50
    show_full_result_count = False

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return self.shown

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return self.shown

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        """An address may filter by what is listed alone: by any other column, such as a password's
        hash, it could be guessed sign by sign."""
        return lookup.partition("__")[0] in {*map(str, self.list_filter), self.opts.pk.name}

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class Accounts(ReadOnly):
    """Who has an account."""

    shown = (
        "username",
        "first_name",
        "last_name",
        "email",
        "is_active",
        "is_superuser",
        "date_joined",
        "last_login",
    )
    list_display = ("username", "first_name", "email", "is_active", "is_superuser", "last_login")
    list_filter = ("is_active", "is_superuser")
    search_fields = ("username", "first_name", "last_name", "email")
    ordering = ("username",)


class Studies(ReadOnly):
    """Which studies there are."""

    shown = ("slug", "title", "state", "language", "overlap", "created_at", "revision")
    list_display = ("slug", "title", "state", "created_at")
    list_filter = ("state",)
    search_fields = ("slug", "title")
    ordering = ("slug",)


class Members(ReadOnly):
    """Who is a member of which study."""

    shown = ("study", "user", "role")
    list_display = shown
    list_filter = ("role",)
    list_select_related = ("study", "user")
    search_fields = ("study__slug", "user__username")


class Colleagues(ReadOnly):
    """Invitations of colleagues, without their tokens."""

    shown = (
        "study",
        "role",
        "email",
        "mailed",
        "made_by",
        "made_at",
        "expires_at",
        "ended_at",
        "accepted_at",
        "accepted_by",
    )
    list_display = ("made_at", "study", "role", "email", "made_by", "accepted_by", "ended_at")
    list_select_related = ("study", "made_by", "accepted_by")


class Changes(ReadOnly):
    """The change log, which the program itself never changes either."""

    shown = ("at", "study", "slug", "by", "account", "action", "subject", "detail")
    list_display = ("at", "slug", "by", "action", "subject")
    list_select_related = ("by",)
    search_fields = ("slug", "action")


class Runs(ReadOnly):
    """Runs of judges."""

    shown = ("study", "judge", "state", "created_at")
    list_display = shown
    list_select_related = ("study", "judge")


class WrongPasswords(ReadOnly):
    """Names that wait after too many mistakes. Deleting a row ends the waiting."""

    shown = ("username", "ip_address", "user_agent", "attempt_time", "failures_since_start")
    list_display = ("username", "ip_address", "attempt_time", "failures_since_start")
    search_fields = ("username",)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return True


site = InstallationSite(name="admin")
site.register(User, Accounts)
site.register(Study, Studies)
site.register(Member, Members)
site.register(ColleagueInvitation, Colleagues)
site.register(Change, Changes)
site.register(JudgeRun, Runs)
site.register(AccessAttempt, WrongPasswords)
