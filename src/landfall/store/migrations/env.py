"""Alembic's environment: runs the migrations on the connection from `store.migrate`."""

from alembic import context

from landfall.store.schema import METADATA

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=METADATA, render_as_batch=connection.dialect.name == "sqlite")
with context.begin_transaction():
    context.run_migrations()
