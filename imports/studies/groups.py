"""The own columns that a study is to group its results by: whether it has them."""

from collections.abc import Collection

from annotation.models import Study
from annotation.queries.group_keys import MOST_VALUES
from annotation.queries.metadata import OF_GROUPS, columns_for_groups
from files.errors import ImportFailure


def refuse_no_groups(study: Study, before: Collection[str], where: str) -> None:
    """ImportFailure for a new key of `group_by` whose column the study lacks, or that makes no
    groups. Rows that may still come may bring theirs along."""
    new = [key for key in study.group_by if key not in before]
    columns = columns_for_groups(study) if new else {}
    for key in new:
        model = OF_GROUPS[key.partition(".")[0]]
        if key in columns:
            if not columns[key].makes_groups:
                reason = f"{key} has {columns[key].values:,} values, or long ones: results are "
                reason += f"grouped by numbers, or by up to {MOST_VALUES} short values"
                raise ImportFailure(where, "group_by", reason)
        elif model._default_manager.filter(study=study).exists():
            there = [name for name, column in columns.items() if column.makes_groups]
            reason = f"no own column {key} (there are: {', '.join(there[:20]) or 'none'})"
            raise ImportFailure(where, "group_by", reason)
