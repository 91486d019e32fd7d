"""Alembic's door: it migrates over the connection that `migrate.migrate` hands in."""

from alembic import context

from voice_server.store.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transaction_per_migration=True,
)
with context.begin_transaction():
    context.run_migrations()
