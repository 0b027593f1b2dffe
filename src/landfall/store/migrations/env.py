"""What Alembic runs: the steps, on the connection that `store.migrate` hands over."""

from alembic import context

from landfall.store.schema import METADATA

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=METADATA, render_as_batch=connection.dialect.name == "sqlite")
with context.begin_transaction():
    context.run_migrations()
