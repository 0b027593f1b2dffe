"""Tournaments: a log for each, its entry in lists, and who ever joined it."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Three tables; none is large."""
    op.create_table(
        "tournaments",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("opener", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("starts", sa.BigInteger, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("info", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tournaments"),
    )
    op.create_index("ix_tournaments_opener", "tournaments", ["opener"])
    op.create_index("ix_tournaments_status", "tournaments", ["status", "starts"])
    op.create_table(
        "tournament_events",
        sa.Column("tournament", sa.Text, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("tournament", "seq", name="pk_tournament_events"),
    )
    op.create_table(
        "tournament_players",
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("tournament", sa.Text, nullable=False),
        sa.Column("inside", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("person", "tournament", name="pk_tournament_players"),
    )


def downgrade() -> None:
    """Tournaments are lost; their tables are not."""
    for table in ("tournament_players", "tournament_events", "tournaments"):
        op.drop_table(table)
