"""Who is who in a report, and everywhere else by the same name."""

from annotation.models import Annotation
from estimates.data.options import Options
from estimates.data.parties import judge_in
from estimates.data.report_names import report_names
from exports.tables.answers import names_of_raters
from tests.cast import make_study
from tests.results.answers import choose, make_rater, questions
from tests.results.estimates import estimate_study


def test_the_newest_version_is_the_newest_whose_answers_count(db: None) -> None:
    """The second one's only answer was excluded, the third has yet to answer."""
    study = make_study()
    raters = [make_rater(study, "lexical", "judge", version=version) for version in (1, 2, 3)]
    for rater in raters[:2]:
        choose(rater, questions(study)[0], 0)
    Annotation.objects.filter(rater=raters[1]).update(excluded_reason="a wrong prompt")

    names = report_names(study, raters)

    assert list(names.values()) == ["lexical", "lexical@2", "lexical@3"]
    assert estimate_study(study, Options(resamples=0)).versions == {"lexical": 1}
    assert names_of_raters(study) == {pk: names[pk] for pk in list(names)[:2]}


def test_without_answers_the_newest_version_has_the_plain_name(db: None) -> None:
    study = make_study()
    raters = [make_rater(study, "lexical", "judge", version=version) for version in (1, 2)]

    assert list(report_names(study, raters).values()) == ["lexical@1", "lexical"]


def test_a_version_that_answered_controls_alone_is_in_the_report(db: None) -> None:
    study = make_study(positive=1)
    raters = [make_rater(study, "lexical", "judge", version=version) for version in (1, 2)]
    choose(raters[0], questions(study)[0], 0)
    choose(raters[1], questions(study, role="positive")[0], 0)

    assert list(report_names(study, raters).values()) == ["lexical@1", "lexical"]
    assert estimate_study(study, Options(resamples=0)).versions == {"lexical": 2}


def test_a_name_may_hold_an_at_sign() -> None:
    known = {"lexical": 2, "sonnet@20240620": 1}
    assert judge_in("lexical@1", known) == judge_in("lexical", known) == "lexical"
    assert judge_in("sonnet@20240620@1", known) == "sonnet@20240620"
    assert judge_in("sonnet@20240620", known) == "sonnet@20240620"
    assert judge_in("humans", known) == judge_in("sonnet", known) == ""
