"""Notifications: the outbox, settings, devices, addresses, holidays."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nobody is notified of what happened before."""
    op.create_table(
        "notifications",
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("topic", sa.Text, nullable=False),
        sa.Column("other", sa.Text),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("due", sa.BigInteger),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("seen", sa.BigInteger),
        sa.Column("tries", sa.Integer, nullable=False, server_default="0"),
        sa.Column("reached", sa.Text, nullable=False, server_default=""),
    )
    for column in ("person", "topic", "other", "due"):
        op.create_index(f"ix_notifications_{column}", "notifications", [column])
    op.create_table(
        "notification_settings",
        sa.Column("person", sa.Text, primary_key=True),
        sa.Column("data", sa.Text, nullable=False),
    )
    op.create_table(
        "push_devices",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("session", sa.Text, nullable=False),
        sa.Column("endpoint", sa.Text, nullable=False),
        sa.Column("p256dh", sa.Text, nullable=False),
        sa.Column("auth", sa.Text, nullable=False),
        sa.Column("device", sa.Text, nullable=False),
        sa.Column("language", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("succeeded", sa.BigInteger),
        sa.Column("failing", sa.BigInteger),
    )
    op.create_index("ix_push_devices_person", "push_devices", ["person"])
    op.create_table(
        "mail_addresses",
        sa.Column("person", sa.Text, primary_key=True),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("language", sa.Text, nullable=False),
        sa.Column("token", sa.Text),
        sa.Column("asked", sa.BigInteger, nullable=False),
        sa.Column("confirmed", sa.BigInteger),
    )
    op.create_index("ix_mail_addresses_token", "mail_addresses", ["token"])
    op.create_table(
        "holidays",
        sa.Column("person", sa.Text, primary_key=True),
        sa.Column("since", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("until", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    """Nobody is notified any more."""
    for table in ("holidays", "mail_addresses", "push_devices", "notification_settings", "notifications"):
        op.drop_table(table)
