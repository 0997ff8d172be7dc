"""The addresses of the people of a study: workers, members, reviews, pay, recruitment."""

from django.urls import path

from desk.people.finding import views as finding
from desk.people.members import colleagues, qualified
from desk.people.members import settings as study_settings
from desk.people.members import views as people
from desk.people.pay import views as pay
from desk.people.reviews import views as reviews
from desk.people.team import views as team
from desk.people.workers import views as workers
from desk.people.workers.lost_links import lost_link
from recruitment import payment_views as recruitment_payments
from recruitment import views as recruitment

urlpatterns = [
    path("studies/<slug:slug>/invitations/", finding.make_links, name="invitations"),
    path(
        "studies/<slug:slug>/invitations/links.csv",
        finding.invitation_links,
        name="invitation-links",
    ),
    path(
        "studies/<slug:slug>/invitations/<int:invitation_id>/end/",
        finding.end_link,
        name="end-invitation",
    ),
    path("studies/<slug:slug>/recruitment/", finding.finding_people, name="recruitment"),
    path("studies/<slug:slug>/team/", team.team, name="team"),
    path("studies/<slug:slug>/team/links/", team.make_team_links, name="team-links"),
    path("studies/<slug:slug>/team/table.csv", team.table_file, name="team-table"),
    path("studies/<slug:slug>/team/table/", team.upload_table, name="upload-team-table"),
    path("studies/<slug:slug>/team/members/", team.add_member, name="add-member"),
    path("studies/<slug:slug>/team/names/", team.name_members, name="name-members"),
    path("studies/<slug:slug>/team/settle/", team.settle, name="settle-team"),
    path(
        "studies/<slug:slug>/team/rounds/<int:round_id>/release/",
        team.release,
        name="release-calibration",
    ),
    path(
        "studies/<slug:slug>/team/members/<int:number>/end/",
        team.end_membership,
        name="end-membership",
    ),
    path(
        "studies/<slug:slug>/set-up/recruitment/", finding.choose_panel, name="set-up-recruitment"
    ),
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
    path("studies/<slug:slug>/settings/", study_settings.settings, name="settings"),
    path("studies/<slug:slug>/archive/", study_settings.archive, name="archive"),
    path("studies/<slug:slug>/unarchive/", study_settings.unarchive, name="unarchive"),
    path("studies/<slug:slug>/delete/", study_settings.delete, name="delete"),
    path("studies/<slug:slug>/members/", people.members, name="members"),
    path("studies/<slug:slug>/members/<int:user_id>/remove/", people.remove, name="remove-member"),
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
    path("studies/<slug:slug>/reviews/", reviews.reviews, name="reviews"),
    path("studies/<slug:slug>/reviews/decide/", reviews.decide, name="decide"),
    path("studies/<slug:slug>/reviews/<int:assignment_id>/", reviews.review, name="review"),
    path(
        "studies/<slug:slug>/reviews/<int:assignment_id>/feedback/",
        reviews.feedback,
        name="feedback",
    ),
    path("studies/<slug:slug>/workers/", workers.workers, name="workers"),
    path("studies/<slug:slug>/workers/lost-link/", lost_link, name="lost-link"),
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
]
