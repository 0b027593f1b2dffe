"""How errors are answered: one shape, and a status for each code."""

from __future__ import annotations

from typing import Any, Final

from landfall.core.errors import LandfallError, OptionError
from landfall.tables.protocol.errors import Refused

STATUS_BY_CODE: Final = {
    "no_table": 404, "no_puzzle": 404, "nameless": 401, "login": 401, "owner_only": 403, "not_shown": 403,
    "removed": 403, "stale": 409, "account_taken": 409, "has_account": 409, "rules": 409, "damaged": 409, "newer": 409,
    "too_fast": 429, "tries": 429, "too_many": 429, "too_public": 429, "too_large": 413, "store": 503, "busy": 503,
    "old_password": 403, "no_session": 404, "no_guide": 404, "no_figure": 404, "bad_message": 422,
    "no_registration": 403, "invite_only": 403,
    "token": 401, "token_scope": 403, "no_bot": 404, "no_token": 404, "bots_only": 403, "no_bots": 403,
    "too_many_bots": 429,
    "no_push": 404, "no_mail": 404, "no_device": 404, "mail_failed": 503, "mail_token": 404,
    "passkey": 401, "code": 401, "last_way": 409, "no_passkey": 404, "too_many_passkeys": 429, "renamed_lately": 429,
    "not_recent": 403, "recovering": 409,
    "banned": 403, "no_report": 404, "report_self": 400, "host_only": 403,
    "no_tournament": 404, "tournament_account": 403, "tournament_organisers": 403, "tournament_opener": 403,
    "tournament_many": 429, "tournament_address": 429, "tournament_barred": 403, "tournament_members": 403,
    "tournament_age": 403, "tournament_no_player": 404,
    "tournament_full": 409, "tournament_over": 409, "tournament_begun": 409,
    "tournament_late": 409, "tournament_early": 409, "tournament_table": 403, "tournament_season": 409,
    "no_invitation": 404, "cannot_invite": 403, "already_invited": 409, "too_many_invitations": 429,
    "invite_account": 403, "invited_often": 429, "too_many_reports": 429, "tournament_not_yet": 409,
    "no_player": 404, "rated_running": 403, "no_hints": 403,
}  # fmt: skip


def error_status_and_body(error: LandfallError) -> tuple[int, dict[str, Any]]:
    """The status and the body that say why something was refused."""
    code = error.code if isinstance(error, Refused) else error.key.partition(".")[2]
    rule = error.rule if isinstance(error, Refused) else None
    body: dict[str, Any] = {"code": code, "key": error.key, "args": error.arguments, "rule": rule, "text": str(error)}
    if isinstance(error, OptionError):
        names = ("option", "key", "args", "text")
        body["problems"] = [dict(zip(names, found, strict=True)) for found in error.problems]
    return STATUS_BY_CODE.get(code, 400), body


def fault_body(code: str, text: str, key: str = "") -> dict[str, Any]:
    """The body of an error that is nobody's refusal: no such path, or a fault of ours."""
    return {"code": code, "key": key, "args": {}, "rule": None, "text": text}
