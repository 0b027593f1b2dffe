"""Who is connected, whom somebody follows, and invitations to tables."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nobody follows anybody before."""
    op.create_table(
        "presences",
        sa.Column("process", sa.Text, nullable=False),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("process", "person", name="pk_presences"),
    )
    op.create_index("ix_presences_person", "presences", ["person"])
    op.create_table(
        "follows",
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("other", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("person", "other", name="pk_follows"),
    )
    op.create_index("ix_follows_other", "follows", ["other"])
    op.create_table(
        "invitations",
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("sender", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "person", name="pk_invitations"),
    )
    op.create_index("ix_invitations_person", "invitations", ["person", "at"])
    op.create_index("ix_invitations_sender", "invitations", ["sender", "at"])


def downgrade() -> None:
    """Invitations end with it."""
    op.drop_table("invitations")
    op.drop_table("follows")
    op.drop_table("presences")
