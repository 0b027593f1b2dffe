"""Stored match reviews, so that each is computed once."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create an empty table."""
    op.create_table(
        "lookbacks",
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("table_id", name="pk_lookbacks"),
    )


def downgrade() -> None:
    """They can be computed again."""
    op.drop_table("lookbacks")
