"""The log of searches for a table, blocked users, and who agreed to be shown."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nobody is shown before they agree."""
    op.create_table(
        "searches",
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("seq", name="pk_searches"),
    )
    op.create_table(
        "blocks",
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("other", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("person", "other", name="pk_blocks"),
    )
    op.create_index("ix_blocks_other", "blocks", ["other"])
    op.add_column("people", sa.Column("shown", sa.Boolean, nullable=False, server_default=sa.false()))


def downgrade() -> None:
    """Searches end with it."""
    op.drop_column("people", "shown")
    op.drop_table("blocks")
    op.drop_table("searches")
