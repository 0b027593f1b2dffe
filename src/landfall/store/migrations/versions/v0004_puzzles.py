"""Counts of tries and solutions of puzzles, and ratings; not by user."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create an empty table."""
    op.create_table(
        "puzzles",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("found", sa.Integer, nullable=False),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_puzzles"),
    )


def downgrade() -> None:
    """The counts restart."""
    op.drop_table("puzzles")
