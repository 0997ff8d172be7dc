"""The addresses of making a study: new studies, imports, the study file, the forms of set-up."""

from django.urls import path

from set_up.controls import promotion_views as promotion
from set_up.controls import views as controls
from set_up.imports import views as imports
from set_up.new_study import from_tool, reading_views, study_tables
from set_up.new_study import views as new_study
from set_up.preparation import views as preparation
from set_up.steps import controls as control_page
from set_up.steps import views as set_up
from set_up.study_files import typed
from set_up.study_files import views as study_files
from set_up.writing import views as writing

urlpatterns = [
    path("typed/", typed.download_typed, name="download-typed"),
    path("new-study/", new_study.start, name="new-study"),
    path("new-study/files/", reading_views.files, name="new-study-files"),
    path("new-study/<int:draft_id>/files/", reading_views.files, name="new-study-files"),
    path("new-study/<int:draft_id>/reading/", reading_views.reading, name="new-study-reading"),
    path("new-study/from/<slug:format_name>/", from_tool.from_tool, name="new-study-tool"),
    path("new-study/<int:draft_id>/texts/", new_study.texts, name="new-study-texts"),
    path("new-study/<int:draft_id>/unit/<int:number>/", new_study.unit, name="new-study-unit"),
    path(
        "new-study/<int:draft_id>/skipped.jsonl",
        new_study.skipped_rows,
        name="new-study-skipped",
    ),
    path("new-study/<int:draft_id>/remove/", new_study.drop, name="drop-new-study"),
    path("imports/<int:job_id>/", imports.import_, name="import"),
    path("imports/<int:job_id>/cancel/", imports.cancel, name="cancel-import"),
    path("imports/<int:job_id>/again/", imports.again, name="import-again"),
    path("imports/<int:job_id>/skipped.jsonl", imports.skipped_rows, name="import-skipped"),
    path("studies/<slug:slug>/skipped.jsonl", imports.skipped_of_study, name="study-skipped"),
    path("studies/<slug:slug>/study.yaml", study_files.study_file, name="study-file"),
    path("studies/<slug:slug>/edit/", study_files.edit, name="edit-study"),
    path("studies/<slug:slug>/set-up/", set_up.set_up, name="set-up"),
    path("studies/<slug:slug>/set-up/unpaid/", set_up.unpaid, name="set-up-unpaid"),
    path("studies/<slug:slug>/set-up/texts/", set_up.texts, name="set-up-texts"),
    path("studies/<slug:slug>/set-up/table/", study_tables.table, name="set-up-table"),
    path("texts/preview/", set_up.texts_preview, name="texts-preview"),
    path("studies/<slug:slug>/set-up/questions/", set_up.questions, name="set-up-questions"),
    path(
        "studies/<slug:slug>/set-up/questions/preview/",
        set_up.questions_preview,
        name="questions-preview",
    ),
    path("studies/<slug:slug>/set-up/rounds/", set_up.rounds, name="set-up-rounds"),
    path("studies/<slug:slug>/set-up/rounds/cost/", set_up.rounds_cost, name="rounds-cost"),
    path("studies/<slug:slug>/set-up/ethics/", set_up.ethics, name="set-up-ethics"),
    path(
        "studies/<slug:slug>/set-up/introduction/", set_up.introduction, name="set-up-introduction"
    ),
    path("studies/<slug:slug>/set-up/method/", set_up.method, name="set-up-method"),
    path("studies/<slug:slug>/set-up/judges/", set_up.judges, name="set-up-judges"),
    path("studies/<slug:slug>/set-up/units/<int:unit_id>/", set_up.pick, name="pick-unit"),
    path("studies/<slug:slug>/controls/", control_page.controls, name="controls"),
    path("studies/<slug:slug>/controls/<int:unit_id>/", controls.control, name="control"),
    path("studies/<slug:slug>/controls/<int:unit_id>/check/", controls.check, name="check-control"),
    path(
        "studies/<slug:slug>/controls/<int:unit_id>/retire/",
        controls.retire,
        name="retire-control",
    ),
    path("studies/<slug:slug>/controls/from/<int:unit_id>/", promotion.promote, name="promote"),
    path("studies/<slug:slug>/writing/", writing.write_texts, name="write-texts"),
    path("studies/<slug:slug>/writing/<int:job_id>/", writing.writing, name="writing"),
    path(
        "studies/<slug:slug>/writing/<int:job_id>/cancel/",
        writing.cancel_writing,
        name="cancel-writing",
    ),
    path(
        "studies/<slug:slug>/writing/<int:job_id>/missing/",
        writing.write_missing,
        name="write-missing",
    ),
    path("studies/<slug:slug>/preparation/propose/", writing.propose_lists, name="propose-lists"),
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
]
