"""The researchers' addresses."""

from django.contrib.auth.views import LogoutView
from django.urls import include, path

from desk.accounts.urls import urlpatterns as accounts
from desk.adjudication import cases
from desk.adjudication import views as adjudication
from desk.alerts import views as alerts
from desk.alerts import webhook_views as hook
from desk.api import token_views
from desk.audit import views as audit
from desk.controls import promotion_views as promotion
from desk.controls import views as controls
from desk.exclusions import views as exclusions
from desk.exports import views as exports
from desk.health import views as health
from desk.imports import views as imports
from desk.monitoring import views as monitoring
from desk.new_study import study_tables
from desk.new_study import views as new_study
from desk.pay import views as pay
from desk.people import colleagues, qualified
from desk.people import views as people
from desk.preparation import views as preparation
from desk.problems import views as problems
from desk.recruitment import payment_views as recruitment_payments
from desk.recruitment import views as recruitment
from desk.reviews import views as reviews
from desk.set_up import views as set_up
from desk.studies import example
from desk.studies import settings as study_settings
from desk.studies import views as studies
from desk.study_files import typed
from desk.study_files import views as study_files
from desk.units.views import actions as unit_actions
from desk.units.views import table as unit_table
from desk.units.views import unit as unit_record
from desk.workers import views as workers

app_name = "desk"
urlpatterns = [
    path("", studies.home, name="home"),
    path("sign-out/", LogoutView.as_view(), name="sign-out"),
    path("", include(accounts)),
    path("account/tokens/", token_views.tokens, name="tokens"),
    path("account/tokens/<int:token_id>/revoke/", token_views.revoke, name="revoke-token"),
    path("api/v1/", include("desk.api.urls")),
    path("typed/", typed.download_typed, name="download-typed"),
    path("new-study/", new_study.start, name="new-study"),
    path("new-study/example/", example.load_example, name="load-example"),
    path("new-study/<int:draft_id>/table/", new_study.table, name="new-study-table"),
    path("new-study/<int:draft_id>/columns/", new_study.columns, name="new-study-columns"),
    path("new-study/<int:draft_id>/texts/", new_study.texts, name="new-study-texts"),
    path("new-study/<int:draft_id>/unit/<int:number>/", new_study.unit, name="new-study-unit"),
    path(
        "new-study/<int:draft_id>/skipped.jsonl",
        new_study.skipped_rows,
        name="new-study-skipped",
    ),
    path("new-study/<int:draft_id>/remove/", new_study.drop, name="drop-new-study"),
    path("studies/<slug:slug>/", monitoring.study, name="study"),
    path("imports/<int:job_id>/", imports.import_, name="import"),
    path("imports/<int:job_id>/cancel/", imports.cancel, name="cancel-import"),
    path("imports/<int:job_id>/again/", imports.again, name="import-again"),
    path("imports/<int:job_id>/skipped.jsonl", imports.skipped_rows, name="import-skipped"),
    path("studies/<slug:slug>/alerts/", alerts.alerts, name="alerts"),
    path("studies/<slug:slug>/alerts/rules/", alerts.change_rules, name="alert-rules"),
    path("studies/<slug:slug>/alerts/mine/", alerts.subscribe, name="alert-subscription"),
    path("studies/<slug:slug>/alerts/webhook/", hook.webhook, name="webhook"),
    path("studies/<slug:slug>/alerts/webhook/remove/", hook.remove_webhook, name="remove-webhook"),
    path("studies/<slug:slug>/alerts/webhook/events/", hook.choose_events, name="choose-events"),
    path("studies/<slug:slug>/alerts/webhook/secret/", hook.renew_secret, name="renew-secret"),
    path(
        "studies/<slug:slug>/alerts/webhook/<int:delivery_id>/again/",
        hook.send_again,
        name="send-again",
    ),
    path("studies/<slug:slug>/alerts/test/", alerts.test_message, name="test-message"),
    path("studies/<slug:slug>/changes/", audit.changes, name="changes"),
    path("studies/<slug:slug>/changes.<str:form>", audit.change_file, name="change-file"),
    path("studies/<slug:slug>/skipped.jsonl", imports.skipped_of_study, name="study-skipped"),
    path("studies/<slug:slug>/study.yaml", study_files.study_file, name="study-file"),
    path("studies/<slug:slug>/edit/", study_files.edit, name="edit-study"),
    path("studies/<slug:slug>/set-up/", set_up.set_up, name="set-up"),
    path("studies/<slug:slug>/set-up/texts/", set_up.texts, name="set-up-texts"),
    path("studies/<slug:slug>/set-up/table/", study_tables.table, name="set-up-table"),
    path("texts/preview/", set_up.texts_preview, name="texts-preview"),
    path("studies/<slug:slug>/set-up/questions/", set_up.questions, name="set-up-questions"),
    path("studies/<slug:slug>/set-up/rounds/", set_up.rounds, name="set-up-rounds"),
    path("studies/<slug:slug>/set-up/rounds/cost/", set_up.rounds_cost, name="rounds-cost"),
    path("studies/<slug:slug>/set-up/recruitment/", set_up.recruitment, name="set-up-recruitment"),
    path("studies/<slug:slug>/set-up/ethics/", set_up.ethics, name="set-up-ethics"),
    path("studies/<slug:slug>/set-up/judges/", set_up.judges, name="set-up-judges"),
    path("studies/<slug:slug>/set-up/judges/own/", set_up.own_judge, name="add-own-judge"),
    path("studies/<slug:slug>/set-up/units/", set_up.pick_units, name="pick-units"),
    path("studies/<slug:slug>/set-up/units/<int:unit_id>/", set_up.pick, name="pick-unit"),
    path("studies/<slug:slug>/open/", studies.open_, name="open"),
    path("studies/<slug:slug>/close/", studies.close, name="close"),
    path("studies/<slug:slug>/pause/", studies.pause, name="pause"),
    path("studies/<slug:slug>/resume/", studies.resume, name="resume"),
    path("studies/<slug:slug>/settings/", study_settings.settings, name="settings"),
    path("studies/<slug:slug>/archive/", study_settings.archive, name="archive"),
    path("studies/<slug:slug>/unarchive/", study_settings.unarchive, name="unarchive"),
    path("studies/<slug:slug>/delete/", study_settings.delete, name="delete"),
    path("studies/<slug:slug>/invited/", monitoring.invited, name="invited"),
    path("studies/<slug:slug>/try-out/", studies.try_out, name="try-out"),
    path("studies/<slug:slug>/invitations/", people.invitations, name="invitations"),
    path(
        "studies/<slug:slug>/invitations/links.csv",
        people.invitation_links,
        name="invitation-links",
    ),
    path(
        "studies/<slug:slug>/invitations/<int:invitation_id>/end/",
        people.end_link,
        name="end-invitation",
    ),
    path("studies/<slug:slug>/recruitment/", recruitment.recruitment, name="recruitment"),
    path("studies/<slug:slug>/recruitment/draft/", recruitment.propose, name="recruitment-propose"),
    path(
        "studies/<slug:slug>/recruitment/<int:made_id>/move/",
        recruitment.move,
        name="recruitment-move",
    ),
    path(
        "studies/<slug:slug>/recruitment/<int:made_id>/read/",
        recruitment.read,
        name="recruitment-read",
    ),
    path(
        "studies/<slug:slug>/recruitment/<int:made_id>/decide/",
        recruitment.decide_submissions,
        name="recruitment-decide",
    ),
    path(
        "studies/<slug:slug>/recruitment/<int:made_id>/bonuses/",
        recruitment_payments.bonuses,
        name="recruitment-bonuses",
    ),
    path(
        "studies/<slug:slug>/recruitment/payments/<int:payment_id>/",
        recruitment_payments.payment,
        name="recruitment-payment",
    ),
    path("studies/<slug:slug>/qualified/", qualified.qualified, name="qualified"),
    path(
        "studies/<slug:slug>/qualified/<int:round_id>/ids.csv",
        qualified.qualified_ids,
        name="qualified-ids",
    ),
    path("studies/<slug:slug>/consents/", workers.consents, name="consents"),
    path("studies/<slug:slug>/members/", people.members, name="members"),
    path("studies/<slug:slug>/members/<int:user_id>/remove/", people.remove, name="remove-member"),
    path("studies/<slug:slug>/exclusions/", exclusions.exclusions, name="exclusions"),
    path("studies/<slug:slug>/exclusions/<int:rule_id>/", exclusions.exclusion, name="exclusion"),
    path(
        "studies/<slug:slug>/exclusions/<int:rule_id>/apply/",
        exclusions.apply,
        name="apply-exclusion",
    ),
    path(
        "studies/<slug:slug>/exclusions/<int:rule_id>/undo/",
        exclusions.revert,
        name="undo-exclusion",
    ),
    path("studies/<slug:slug>/members/<int:user_id>/role/", colleagues.role, name="member-role"),
    path(
        "studies/<slug:slug>/members/<int:user_id>/hand-over/",
        colleagues.transfer,
        name="hand-over",
    ),
    path("studies/<slug:slug>/colleagues/", colleagues.invite, name="invite-colleague"),
    path(
        "studies/<slug:slug>/colleagues/<int:invitation_id>/end/",
        colleagues.end_colleague,
        name="end-colleague",
    ),
    path("studies/<slug:slug>/exports/", exports.exports, name="exports"),
    path("studies/<slug:slug>/exports/ask/", exports.ask, name="ask-for-export"),
    path("studies/<slug:slug>/exports/<int:job_id>/cancel/", exports.cancel, name="cancel-export"),
    path("studies/<slug:slug>/exports/<int:job_id>/again/", exports.again, name="export-again"),
    path("studies/<slug:slug>/exports/<str:token>/", exports.download, name="export-file"),
    path("studies/<slug:slug>/reviews/", reviews.reviews, name="reviews"),
    path("studies/<slug:slug>/reviews/decide/", reviews.decide, name="decide"),
    path("studies/<slug:slug>/reviews/<int:assignment_id>/", reviews.review, name="review"),
    path(
        "studies/<slug:slug>/reviews/<int:assignment_id>/feedback/",
        reviews.feedback,
        name="feedback",
    ),
    path("studies/<slug:slug>/units/", unit_table.units, name="units"),
    path("studies/<slug:slug>/units/views/", unit_table.save, name="save-view"),
    path(
        "studies/<slug:slug>/units/views/<int:view_id>/remove/",
        unit_table.remove,
        name="remove-view",
    ),
    path("studies/<slug:slug>/units/actions/", unit_actions.propose, name="propose-unit-action"),
    path(
        "studies/<slug:slug>/units/actions/<int:action_id>/",
        unit_actions.action,
        name="unit-action",
    ),
    path(
        "studies/<slug:slug>/units/actions/<int:action_id>/confirm/",
        unit_actions.confirm,
        name="confirm-unit-action",
    ),
    path("studies/<slug:slug>/units/<int:unit_id>/record/", unit_record.unit, name="unit"),
    path("studies/<slug:slug>/problems/", problems.problems, name="problems"),
    path("studies/<slug:slug>/workers/", workers.workers, name="workers"),
    path("studies/<slug:slug>/workers/<int:number>/", workers.worker, name="worker"),
    path("studies/<slug:slug>/workers/<int:number>/adjust/", workers.adjust_pay, name="adjust"),
    path("studies/<slug:slug>/workers/<int:number>/remove/", workers.remove, name="remove-worker"),
    path(
        "studies/<slug:slug>/workers/<int:number>/reinstate/",
        workers.reinstate,
        name="reinstate-worker",
    ),
    path("studies/<slug:slug>/pay/", pay.pay, name="pay"),
    path("studies/<slug:slug>/pay/files/", pay.make_pay_file, name="make-pay-file"),
    path("studies/<slug:slug>/pay/files/<int:stamp>/", pay.pay_file, name="pay-file"),
    path("studies/<slug:slug>/controls/", controls.controls, name="controls"),
    path("studies/<slug:slug>/controls/<int:unit_id>/", controls.control, name="control"),
    path("studies/<slug:slug>/controls/<int:unit_id>/check/", controls.check, name="check-control"),
    path(
        "studies/<slug:slug>/controls/<int:unit_id>/retire/",
        controls.retire,
        name="retire-control",
    ),
    path("studies/<slug:slug>/adjudication/", adjudication.adjudication, name="adjudication"),
    path(
        "studies/<slug:slug>/adjudication/contested/",
        adjudication.add_contested,
        name="add-contested",
    ),
    path("studies/<slug:slug>/adjudication/audit/", adjudication.add_audit, name="add-audit"),
    path("studies/<slug:slug>/adjudication/next/", adjudication.next_case, name="next-case"),
    path("studies/<slug:slug>/adjudication/results/", adjudication.beside_gold, name="beside-gold"),
    path(
        "studies/<slug:slug>/adjudication/gold/<int:gold_id>/again/",
        adjudication.again,
        name="decide-again",
    ),
    path("studies/<slug:slug>/adjudication/<int:case_id>/", cases.case, name="case"),
    path("studies/<slug:slug>/adjudication/<int:case_id>/draft/", cases.draft, name="save-case"),
    path("studies/<slug:slug>/controls/from/<int:unit_id>/", promotion.promote, name="promote"),
    path("studies/<slug:slug>/preparation/", preparation.preparation, name="preparation"),
    path("studies/<slug:slug>/preparation/accept/", preparation.accept_shown, name="accept-lists"),
    path("studies/<slug:slug>/preparation/write/", preparation.write_list, name="write-list"),
    path("studies/<slug:slug>/preparation/upload/", preparation.upload_lists, name="upload-lists"),
    path("studies/<slug:slug>/preparation/lists.jsonl", preparation.list_file, name="list-file"),
    path(
        "studies/<slug:slug>/preparation/<int:list_id>/",
        preparation.prepared_list,
        name="prepared-list",
    ),
    path(
        "studies/<slug:slug>/preparation/<int:list_id>/reopen/",
        preparation.reopen_list,
        name="reopen-list",
    ),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
]
