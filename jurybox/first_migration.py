"""The first migration of an app, which makes all of its tables."""

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import CreateModel, Migration
from django.db.migrations.state import ProjectState


class FirstMigration(Migration):
    """Django's, in half the time: all models are known before the first table is made.

    After each `CreateModel` Django builds anew every model that is related to the one made, and
    here all are. The tables are made from the models as they are in the end, so what else the
    migration holds, a key that closes a circle say, is in them.
    """

    initial = True

    def apply(
        self,
        project_state: ProjectState,
        schema_editor: BaseDatabaseSchemaEditor,
        collect_sql: bool = False,
    ) -> ProjectState:
        project_state.__dict__.pop("apps", None)  # the models, which are built when asked for
        state = self.mutate_state(project_state, preserve=False)
        for operation in self.operations:
            if isinstance(operation, CreateModel):
                operation.database_forwards(self.app_label, schema_editor, state, state)
        return state
