"""Online bots: users that belong to an author, and their tokens."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nobody has a bot yet."""
    op.add_column("people", sa.Column("author", sa.Text))
    op.create_index("ix_people_author", "people", ["author"])
    op.add_column("sessions", sa.Column("scopes", sa.Text))
    op.add_column("sessions", sa.Column("ends", sa.BigInteger))


def downgrade() -> None:
    """Tokens would be cookies without limits: they go."""
    op.execute("DELETE FROM sessions WHERE scopes IS NOT NULL")
    op.drop_column("sessions", "ends")
    op.drop_column("sessions", "scopes")
    op.drop_index("ix_people_author", "people")
    op.drop_column("people", "author")
