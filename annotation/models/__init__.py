"""The models of a study: material, workers and raters, work, answers and pay."""

from annotation.models.accounts import BrowserSession, User
from annotation.models.adjudication import (
    AdjudicationCase,
    AuditedQuestion,
    AuditSample,
    GoldAnswer,
)
from annotation.models.answers import Annotation, Rating
from annotation.models.changes import Change, account_subject, log_change
from annotation.models.drafts import Draft
from annotation.models.exclusions import ExclusionRule
from annotation.models.material import Item, Question, Source, Unit, UnitItem
from annotation.models.members import Member
from annotation.models.money import LedgerRow
from annotation.models.people import (
    ComprehensionTry,
    Consent,
    ConsentText,
    Invitation,
    Participation,
    Rater,
    StateChange,
    Worker,
)
from annotation.models.places import FixedBatch, FixedBatchPlace, Place
from annotation.models.preparation import Preparation
from annotation.models.recruitment import (
    PaidRow,
    PanelDecision,
    PanelPayment,
    PanelPaymentLine,
    PanelStudy,
    PanelSubmission,
    SubmissionStatus,
)
from annotation.models.rounds import Round
from annotation.models.study import Block, Study, Subset
from annotation.models.team import Allotment, Seat
from annotation.models.withdrawals import Withdrawal
from annotation.models.work import Assignment, AssignmentUnit, Review

__all__ = [
    "AdjudicationCase",
    "Allotment",
    "Annotation",
    "Assignment",
    "AssignmentUnit",
    "AuditSample",
    "AuditedQuestion",
    "Block",
    "BrowserSession",
    "Change",
    "ComprehensionTry",
    "Consent",
    "ConsentText",
    "Draft",
    "ExclusionRule",
    "FixedBatch",
    "FixedBatchPlace",
    "GoldAnswer",
    "Invitation",
    "Item",
    "LedgerRow",
    "Member",
    "PaidRow",
    "PanelDecision",
    "PanelPayment",
    "PanelPaymentLine",
    "PanelStudy",
    "PanelSubmission",
    "Participation",
    "Place",
    "Preparation",
    "Question",
    "Rater",
    "Rating",
    "Review",
    "Round",
    "Seat",
    "Source",
    "StateChange",
    "Study",
    "SubmissionStatus",
    "Subset",
    "Unit",
    "UnitItem",
    "User",
    "Withdrawal",
    "Worker",
    "account_subject",
    "log_change",
]
