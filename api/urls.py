"""The addresses of the API, and of the page of its tokens."""

from django.urls import include, path

from api import documentation, token_views
from api.views import answers, judges, material, nowhere, pay, people, results, reviews, studies

app_name = "api"
_STUDY = "studies/<slug:slug>/"
_ROWS = (
    ("sources", material.Sources, material.SourceView),
    ("items", material.Items, material.ItemView),
    ("units", material.Units, material.UnitView),
    ("questions", material.Questions, material.QuestionView),
    ("answers", answers.Answers, people.AnswerView),
    ("raters", people.Raters, people.RaterView),
    ("rounds", studies.Rounds, studies.RoundView),
    ("judges", judges.Judges, judges.JudgeView),
    ("runs", judges.Runs, judges.RunView),
    ("calls", judges.Calls, judges.CallView),
    ("reviews", reviews.Reviews, reviews.ReviewView),
    ("problems", people.Problems, people.ProblemView),
    ("events", people.Events, people.EventView),
    ("invitations", results.Invitations, results.InvitationView),
    ("exports", results.Exports, results.ExportView),
)
_V1 = [
    path("openapi.json", documentation.Schema.as_view(), name="schema"),
    path("docs/", documentation.docs, name="docs"),
    path("studies/", studies.Studies.as_view(), name="studies"),
    path(_STUDY, studies.StudyView.as_view(), name="study"),
    path(f"{_STUDY}file/", studies.StudyFile.as_view(), name="study-file"),
    path(f"{_STUDY}open/", studies.Open.as_view(), name="open"),
    path(f"{_STUDY}close/", studies.Close.as_view(), name="close"),
    path(f"{_STUDY}pause/", studies.Pause.as_view(), name="pause"),
    path(f"{_STUDY}resume/", studies.Resume.as_view(), name="resume"),
    *(path(f"{_STUDY}{name}/", many.as_view(), name=name) for name, many, _one in _ROWS),
    *(
        path(f"{_STUDY}{name}/<int:id>/", one.as_view(), name=f"{name}-one")
        for name, _many, one in _ROWS
    ),
    path(f"{_STUDY}estimates/", results.Estimates.as_view(), name="estimates"),
    path(
        f"{_STUDY}invitations/<int:id>/end/",
        results.EndInvitation.as_view(),
        name="end-invitation",
    ),
    path(f"{_STUDY}runs/<int:id>/pause/", judges.PauseRun.as_view(), name="pause-run"),
    path(f"{_STUDY}runs/<int:id>/resume/", judges.ResumeRun.as_view(), name="resume-run"),
    path(f"{_STUDY}runs/<int:id>/cancel/", judges.CancelRun.as_view(), name="cancel-run"),
    path(f"{_STUDY}exports/<int:id>/cancel/", results.CancelExport.as_view(), name="cancel-export"),
    path(f"{_STUDY}exports/<int:id>/again/", results.ExportAgain.as_view(), name="export-again"),
    path(f"{_STUDY}exports/<int:id>/file/", results.ExportFile.as_view(), name="export-file"),
    path(f"{_STUDY}reviews/accept/", reviews.Accept.as_view(), name="accept"),
    path(f"{_STUDY}reviews/exclude/", reviews.Exclude.as_view(), name="exclude"),
    path(f"{_STUDY}reviews/undo/", reviews.Undo.as_view(), name="undo"),
    path(f"{_STUDY}reviews/<int:id>/feedback/", reviews.Feedback.as_view(), name="feedback"),
    path(f"{_STUDY}pay/", pay.Pay.as_view(), name="pay"),
    path(f"{_STUDY}pay/files/", pay.PayFiles.as_view(), name="pay-files"),
    path(f"{_STUDY}pay/files/<int:id>/", pay.PayFile.as_view(), name="pay-file"),
    path(f"{_STUDY}pay/workers/", pay.PaidWorkers.as_view(), name="paid-workers"),
    path(f"{_STUDY}pay/workers/<int:id>/", pay.Statement.as_view(), name="statement"),
    path(
        f"{_STUDY}pay/workers/<int:id>/adjustments/", pay.Adjustments.as_view(), name="adjustments"
    ),
    path("", nowhere.nowhere, name="nowhere"),
    path("<path:rest>", nowhere.nowhere, name="nowhere-else"),
]
urlpatterns = [
    path("account/tokens/", token_views.tokens, name="tokens"),
    path("account/tokens/revoke/", token_views.revoke_all, name="revoke-tokens"),
    path("account/tokens/<int:token_id>/revoke/", token_views.revoke, name="revoke-token"),
    path("api/v1/", include(_V1)),
]
