"""Revocable sessions, and deleted users: old signed cookies stay valid until their owner ends a session."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Existing users may use a signed cookie; new ones may not."""
    op.add_column("people", sa.Column("signed", sa.Boolean, nullable=False, server_default=sa.true()))
    op.create_table(
        "sessions",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("seen", sa.BigInteger, nullable=False),
        sa.Column("device", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_sessions"),
    )
    op.create_index("ix_sessions_person", "sessions", ["person"])
    op.create_table(
        "forgotten",
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("tables", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("person", name="pk_forgotten"),
    )


def downgrade() -> None:
    """Signed cookies only, as before."""
    op.drop_table("forgotten")
    op.drop_table("sessions")
    op.drop_column("people", "signed")
