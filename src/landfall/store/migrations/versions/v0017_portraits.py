"""Portraits that the owners of accounts chose."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Everybody else has the portrait that follows from the name."""
    op.create_table(
        "portraits",
        sa.Column("person", sa.Text, primary_key=True),
        sa.Column("colour", sa.Text, nullable=False),
        sa.Column("ground", sa.Text, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("portraits")
