from annotation.models import Rater, Study
from estimates.data.options import EPSILON
from estimates.data.raters import RaterKind, RaterOrigin


def test_statistics_without_a_database_have_the_words_and_defaults_of_its_models() -> None:
    assert list(RaterKind) == Rater.Kind.values
    assert list(RaterOrigin) == Rater.Origin.values
    assert Study._meta.get_field("epsilon").get_default() == EPSILON
