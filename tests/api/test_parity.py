"""What an owner can do in the browser, with the operation of the API that does the same, or the
reason why there is none."""

from collections.abc import Iterator
from typing import Any

from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from annotation.models import User
from tests.api.operations import every_operation

# Name of a page's address -> the operations that do what is posted there.
OPERATIONS: dict[str, tuple[str, ...]] = {
    "desk:accept-lists": ("studies_lists_accept_create",),
    "desk:add-audit": ("studies_cases_audit_create",),
    "desk:add-contested": ("studies_cases_contested_create",),
    "desk:add-member": ("studies_team_create",),
    "desk:adjust": ("studies_pay_workers_adjustments_create",),
    "desk:alert-rules": ("studies_file_update",),
    "desk:alert-subscription": ("studies_alert_mails_update",),
    "desk:apply-exclusion": ("studies_exclusions_apply_create",),
    "desk:archive": ("studies_archive_create",),
    "desk:ask-for-export": ("studies_exports_create",),
    "desk:background-again": ("studies_jobs_again_create", "studies_exports_again_create"),
    "desk:cancel-background": ("studies_jobs_cancel_create", "studies_exports_cancel_create"),
    "desk:cancel-writing": ("studies_jobs_cancel_create",),
    "desk:cancel-import": ("imports_cancel_create",),
    "desk:case": (
        "studies_cases_take_create",
        "studies_cases_decide_create",
        "studies_cases_reveal_create",
        "studies_cases_set_aside_create",
        "studies_cases_release_create",
    ),
    "desk:check-control": ("studies_controls_check_create",),
    "desk:choose-events": ("studies_webhook_events_create", "account_webhook_events_create"),
    "desk:close": ("studies_close_create",),
    "desk:confirm-unit-action": ("studies_unit_actions_confirm_create",),
    "desk:controls": ("studies_controls_create", "studies_controls_pick_create"),
    "desk:decide": (
        "studies_reviews_accept_create",
        "studies_reviews_exclude_create",
        "studies_reviews_undo_create",
    ),
    "desk:decide-again": ("studies_gold_again_create",),
    "desk:delete": ("studies_delete_create",),
    "desk:drop-new-study": ("readings_remove_create",),
    "desk:edit-study": ("studies_file_update",),
    "desk:end-colleague": ("studies_colleagues_end_create",),
    "desk:end-invitation": ("studies_invitations_end_create",),
    "desk:end-membership": ("studies_team_end_create",),
    "desk:end-old-secret": (
        "studies_webhook_end_old_secret_create",
        "account_webhook_end_old_secret_create",
    ),
    "desk:exclusions": ("studies_exclusions_create",),
    "desk:feedback": ("studies_reviews_feedback_create",),
    "desk:hand-over": ("studies_members_hand_over_create",),
    "desk:import-again": ("imports_again_create",),
    "desk:invitations": ("studies_invitations_create",),
    "desk:invite-colleague": ("studies_colleagues_create",),
    "desk:lost-link": ("studies_workers_lost_link_create",),
    "desk:make-pay-file": ("studies_pay_files_create",),
    "desk:member-role": ("studies_members_role_create",),
    "desk:members": ("studies_members_create",),
    "desk:name-members": ("studies_team_names_create",),
    "desk:new-study": ("studies_create",),
    "desk:new-study-files": ("readings_create",),
    "desk:new-study-reading": ("readings_study_create",),
    "desk:new-study-texts": ("studies_create",),
    "desk:new-study-tool": ("imports_create",),
    "desk:next-case": ("studies_cases_next_create",),
    "desk:open": ("studies_open_create",),
    "desk:pause": ("studies_pause_create",),
    "desk:pick-unit": ("studies_controls_pick_create", "studies_controls_put_back_create"),
    "desk:prepared-list": (
        "studies_lists_entries_create",
        "studies_lists_accept_create",
        "studies_lists_reject_create",
    ),
    "desk:promote": ("studies_controls_promote_create",),
    "desk:propose-unit-action": ("studies_unit_actions_create",),
    "desk:propose-lists": ("studies_writings_plan_create", "studies_writings_create"),
    "desk:qualified": ("studies_rounds_invite_qualified_create",),
    "desk:reinstate-worker": ("studies_workers_reinstate_create",),
    "desk:release-calibration": ("studies_team_release_create",),
    "desk:remove-member": ("studies_members_remove_create",),
    "desk:remove-view": ("studies_unit_views_remove_create",),
    "desk:remove-webhook": ("studies_webhook_remove_create", "account_webhook_remove_create"),
    "desk:remove-worker": ("studies_workers_remove_create",),
    "desk:renew-secret": ("studies_webhook_secret_create", "account_webhook_secret_create"),
    "desk:reopen-list": ("studies_lists_reopen_create",),
    "desk:resume": ("studies_resume_create",),
    "desk:retire-control": ("studies_controls_retire_create",),
    "desk:save-view": ("studies_unit_views_create",),
    "desk:send-again": (
        "studies_webhook_deliveries_again_create",
        "account_webhook_deliveries_again_create",
    ),
    "desk:set-up-ethics": ("studies_file_update",),
    "desk:set-up-introduction": ("studies_file_update",),
    "desk:set-up-judges": ("studies_file_update",),
    "desk:set-up-method": ("studies_file_update",),
    "desk:set-up-questions": ("studies_file_update",),
    "desk:set-up-recruitment": ("studies_file_update",),
    "desk:set-up-rounds": ("studies_file_update",),
    "desk:set-up-table": ("studies_items_create",),
    "desk:set-up-texts": ("studies_file_update",),
    "desk:set-up-unpaid": ("studies_unpaid_create",),
    "desk:settings": ("studies_file_update",),
    "desk:settle-team": ("studies_team_settle_create",),
    "desk:team-links": ("studies_team_links_create",),
    "desk:test-message": ("studies_alert_mails_test_create",),
    "desk:test-webhook": ("studies_webhook_test_create", "account_webhook_test_create"),
    "desk:try-out": ("studies_try_out_create",),
    "desk:unarchive": ("studies_unarchive_create",),
    "desk:undo-exclusion": ("studies_exclusions_undo_create",),
    "desk:undo-unit-action": ("studies_unit_actions_undo_create",),
    "desk:upload-lists": ("studies_lists_take_create",),
    "desk:upload-team-table": ("studies_team_table_update",),
    "desk:webhook": ("studies_webhook_update", "account_webhook_update"),
    "desk:write-list": ("studies_lists_create",),
    "desk:write-texts": ("studies_writings_plan_create", "studies_writings_create"),
    "judges:ask-again": ("studies_judges_probes_ask_create", "studies_runs_create"),
    "judges:baselines": ("studies_judges_baselines_create",),
    "judges:calibrate": ("studies_judges_calibrate_create",),
    "judges:cancel": ("studies_runs_cancel_create",),
    "judges:define": ("studies_judges_create",),
    "judges:families": ("studies_judges_families_create",),
    "judges:fix-probes": ("studies_judges_probes_create",),
    "judges:pause": ("studies_runs_pause_create",),
    "judges:resume": ("studies_runs_resume_create",),
    "judges:schedule-probes": ("studies_judges_probes_schedule_create",),
    "judges:start": ("studies_runs_create",),
    "judges:take": ("studies_judges_take_create",),
    "judges:try": ("studies_judges_try_create", "studies_judges_try_ask_create"),
    "results:datasheet-part": ("studies_datasheet_update",),
    "results:registration": ("studies_registrations_create",),
    "results:revoke-link": ("studies_results_links_revoke_create",),
    "results:share": ("studies_results_links_create",),
    "results:stop-rule": ("studies_stop_rule_update",),
    "workbench:change": ("studies_judges_create", "studies_runs_create"),
    "workbench:look": ("studies_looks_create",),
    "workbench:publish": ("studies_looks_publish_create",),
    "workbench:split": ("studies_split_update",),
}
AT_PANEL = "spends money at the panel, whose price a person looks at first; no token does that"
PREVIEW = "shows what is typed in a form, and stores nothing"
# Name of a page's address -> why no operation does what is posted there.
REASONS = {
    "desk:download-typed": "gives back what was typed when a page could not be saved",
    "desk:load-example": "`example_study` of the client makes the same by studies_create",
    "desk:questions-preview": PREVIEW,
    "desk:recruitment-bonuses": AT_PANEL,
    "desk:recruitment-decide": AT_PANEL,
    "desk:recruitment-move": AT_PANEL,
    "desk:recruitment-payment": AT_PANEL,
    "desk:recruitment-propose": AT_PANEL,
    "desk:recruitment-read": "the page of a panel's submissions, which it belongs to, is one of "
    "those that spend money",
    "desk:rounds-cost": PREVIEW,
    "desk:save-case": "saves a form while somebody fills it in; a program decides at once",
    "desk:texts-preview": PREVIEW,
}
# Rooms whose pages are no study's: those of workers, of one's own account and its tokens, and of
# the operators of an installation. The last is Django's sign-out.
OTHER_ROOMS = ("annotation.", "accounts.", "api.", "endpoints.", "desk.installation.", "django.")
NOWHERE = {"slug": "nowhere", "other": "nowhere", "format_name": "nothing", "key": "nothing"} | {
    "name": "nobody",
    "token": "none",
    "form": "csv",
}


def routes(resolver: URLResolver, space: str = "") -> Iterator[tuple[str, URLPattern]]:
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            yield from routes(pattern, pattern.namespace or space)
        elif not pattern.callback.__module__.startswith(OTHER_ROOMS) and pattern.name:
            yield f"{space}:{pattern.name}", pattern


def test_whatever_an_owner_posts_in_the_browser_has_an_operation_or_a_reason(
    owner: User, client: Client
) -> None:
    client.force_login(owner)
    posted = {
        name
        for name, pattern in routes(get_resolver())
        # A view that takes others names them, or leads to the page whose form posts to it.
        if client.options(address_of(name, pattern)).headers.get("Allow") != "GET"
    }
    assert posted == OPERATIONS.keys() | REASONS.keys()
    assert not OPERATIONS.keys() & REASONS.keys()


def address_of(name: str, pattern: URLPattern) -> str:
    """An address of that page in a study that does not exist."""
    converters: dict[str, Any] = pattern.pattern.converters
    return reverse(name, kwargs={key: NOWHERE.get(key, 0) for key in converters})


def test_each_operation_beside_a_page_is_one() -> None:
    named = {name for names in OPERATIONS.values() for name in names}
    assert named <= {operation.name for operation in every_operation() if operation.writes}
