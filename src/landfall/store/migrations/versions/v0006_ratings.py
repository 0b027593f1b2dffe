"""Ratings, and how each rated match changed them."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """No match of an earlier release was rated."""
    op.create_table(
        "ratings",
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("mu", sa.Float(53), nullable=False),
        sa.Column("sigma", sa.Float(53), nullable=False),
        sa.Column("low", sa.Float(53), nullable=False),
        sa.Column("played", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("person", "game", "size", name="pk_ratings"),
    )
    op.create_index("ix_ratings_leaders", "ratings", ["game", "size", "low", "person"])
    op.create_table(
        "rating_changes",
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("n", sa.Integer, nullable=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("mu_before", sa.Float(53), nullable=False),
        sa.Column("sigma_before", sa.Float(53), nullable=False),
        sa.Column("mu", sa.Float(53), nullable=False),
        sa.Column("sigma", sa.Float(53), nullable=False),
        sa.PrimaryKeyConstraint("person", "n", name="pk_rating_changes"),
    )
    op.create_index("ix_rating_changes_table_id", "rating_changes", ["table_id"])


def downgrade() -> None:
    """The logs keep them: see `landfall host ratings`."""
    op.drop_table("rating_changes")
    op.drop_table("ratings")
