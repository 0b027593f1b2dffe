"""Who gave a match up early, and hashes of where players play from."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nobody gave up early before."""
    op.add_column("rating_changes", sa.Column("early", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_table(
        "player_marks",
        sa.Column("table_id", sa.Text, primary_key=True),
        sa.Column("mark", sa.Text, primary_key=True),
        sa.Column("person", sa.Text, primary_key=True),
    )
    op.create_index("ix_player_marks_person", "player_marks", ["person"])


def downgrade() -> None:
    op.drop_table("player_marks")
    op.drop_column("rating_changes", "early")
