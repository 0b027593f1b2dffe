"""Accounts: passkeys, recovery codes, a new name. Challenges are signed: any process may finish a ceremony."""

from __future__ import annotations

import asyncio
import hmac
import json
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final
from urllib.parse import urlsplit

import webauthn
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url, parse_client_data_json
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from landfall.store.accounts import (
    RENAME_INTERVAL_MS,
    Challenge,
    LastWayToSignIn,
    Passkey,
    Recovery,
    RecoveryInProgress,
    RenamedLately,
    SessionEnded,
    TooMany,
)
from landfall.store.confusable_names import confusable_skeleton
from landfall.store.row_types import Session, UserRecord
from landfall.store.sessions import RECOVERED
from landfall.tables.log.clocks import DAY_MS
from landfall.tables.protocol import text_validation
from landfall.tables.protocol.errors import Refused
from landfall.web.identity import AuthSession, Identities, hash_session_token
from landfall.web.request_security import origin_of_url
from landfall.web.settings import Settings

SITE_NAME: Final = "Landfall"
MAX_PASSKEYS: Final = 20  # of an account
CHALLENGE_MS: Final = 300_000
END_BYTES: Final = 8  # of a challenge: when it ends, then random bytes, then their signature
RANDOM_BYTES: Final = 16
RECOVERED_MS: Final = 900_000  # after a recovery code, within which a password can be set without the old one
RECENT_MS: Final = 600_000  # after signing in, within which it is not asked again who it is
LINK_MS: Final = 86_400_000  # that a link from the host is valid
NEW_ACCOUNT: Final = "account"
NEW_PASSKEY: Final = "passkey"
SIGN_IN: Final = "sign in"
RECENT: Final = "recent"
CODES: Final = 10
CODE_LETTERS: Final = "23456789abcdefghjkmnpqrstuvwxyz"  # none that look alike
CODE_GROUPS: Final = 4
GROUP_LETTERS: Final = 4  # 16 letters are 79 bits: a fast hash is enough


def make_recovery_code() -> str:
    """A recovery code."""
    groups = ("".join(secrets.choice(CODE_LETTERS) for _ in range(GROUP_LETTERS)) for _ in range(CODE_GROUPS))
    return "-".join(groups)


def hash_recovery_code(code: str) -> str:
    """What is stored of a code, however it is typed."""
    return hash_session_token("code " + "".join(c for c in code.lower() if c.isalnum()))


def make_recovery_of_session(person: UserRecord, session: str) -> Recovery:
    return Recovery(person.id, session, hash_session_token(f"recovered {session}"))


def make_recent_proof(person: UserRecord, key: str, now: int) -> Challenge:
    """Says that somebody has just proved who they are; `key` is the session's revocation key."""
    return Challenge(hash_session_token(f"recent {key}"), RECENT, person.id, key, now + RECENT_MS)


def challenge_kind_for_new_passkey(person: UserRecord) -> str:
    """A challenge that was given to a guest adds no passkey to the account that was made meanwhile."""
    return NEW_ACCOUNT if person.account is None else NEW_PASSKEY


@contextmanager
def translate_store_refusals() -> Iterator[None]:
    """A change of how somebody signs in, which the store may refuse."""
    try:
        yield
    except SessionEnded:
        raise Refused("nameless") from None
    except RecoveryInProgress:
        raise Refused("recovering") from None
    except LastWayToSignIn:
        raise Refused("last_way") from None
    except TooMany:
        raise Refused("too_many_passkeys", most=MAX_PASSKEYS) from None


class Accounts:
    """The ways in which the owners of accounts sign in."""

    def __init__(self, identities: Identities, settings: Settings) -> None:
        self.identities = identities
        self.store = identities.store
        self.clock = identities.runtime.clock
        # Browsers know no passkeys of bare addresses: without a public URL there are some on this machine only.
        url = origin_of_url(settings.public_url) if settings.public_url else f"http://localhost:{settings.port}"
        self.origin = url
        self.site = urlsplit(url).hostname or "localhost"

    # --- challenges -------------------------------------------------------------------------------------------

    def make_signed_challenge(self, kind: str, key: str = "") -> bytes:
        """A challenge that is answered once, by the session with this revocation key.

        Nothing is stored before: however many somebody asks for, they push out nobody's.
        """
        unsigned = (self.clock.wall_time_ms() + CHALLENGE_MS).to_bytes(END_BYTES) + secrets.token_bytes(RANDOM_BYTES)
        return unsigned + self.challenge_signature(unsigned, kind, key)

    def challenge_signature(self, unsigned: bytes, kind: str, key: str) -> bytes:
        return hmac.digest(self.identities.key, unsigned + f"challenge {kind} {key}".encode(), "sha256")

    def require_own_challenge(self, credential: dict[str, Any], kind: str, key: str = "") -> bytes:
        """The challenge that a credential answers. Refused: it is not ours, not for this, or has ended."""
        try:
            data = parse_client_data_json(base64url_to_bytes(credential["response"]["clientDataJSON"]))
            challenge = data.challenge
        except Exception:  # whatever a stranger's bytes lead to
            raise Refused("passkey") from None
        unsigned, signature = challenge[: END_BYTES + RANDOM_BYTES], challenge[END_BYTES + RANDOM_BYTES :]
        is_ours = hmac.compare_digest(signature, self.challenge_signature(unsigned, kind, key))
        if not is_ours or int.from_bytes(unsigned[:END_BYTES]) <= self.clock.wall_time_ms():
            raise Refused("passkey")
        return challenge

    async def consume_challenge(self, challenge: bytes, kind: str, person: str) -> None:
        """Record that a challenge was answered. Refused: it was answered before.

        For who has proved to have the passkey: nobody else fills the database.
        """
        id_ = hash_session_token(bytes_to_base64url(challenge))
        ends = int.from_bytes(challenge[:END_BYTES]) + CHALLENGE_MS  # later than it: clocks of processes differ
        if not await self.store.accounts.record_challenge_answered(Challenge(id_, kind, person, "", ends)):
            raise Refused("passkey")

    async def verify_credential(self, check: Callable[..., Any], **asked: Any) -> Any:
        """What a credential proves, worked out off the event loop. Refused: nothing."""
        try:
            return await asyncio.to_thread(
                check, expected_rp_id=self.site, expected_origin=self.origin, require_user_verification=True, **asked
            )
        except Exception:  # the library says in many ways that bytes are no proof
            raise Refused("passkey") from None

    # --- passkeys ---------------------------------------------------------------------------------------------

    async def make_passkey_creation_options(self, auth: AuthSession, name: str | None) -> dict[str, Any]:
        """What a browser needs to make a passkey: for an account, or for the one a guest is to have by that name."""
        person = auth.person
        if person.author is not None:
            raise Refused("no_account")
        shown = person.name
        if person.account is None:
            shown = await self.identities.require_available_name(name or person.name, person, account=True)
        known = await self.store.accounts.list_passkeys_of_user(person.id)
        if await self.find_recovery(auth):
            known = []  # they are replaced, however many there are
        if len(known) >= MAX_PASSKEYS:
            raise Refused("too_many_passkeys", most=MAX_PASSKEYS)
        options = webauthn.generate_registration_options(
            rp_id=self.site,
            rp_name=SITE_NAME,
            user_id=person.id.encode(),
            user_name=shown,
            user_display_name=shown,
            challenge=self.make_signed_challenge(challenge_kind_for_new_passkey(person), auth.revocation_key),
            timeout=CHALLENGE_MS,
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.REQUIRED
            ),
            exclude_credentials=[PublicKeyCredentialDescriptor(id=base64url_to_bytes(one.id)) for one in known],
        )
        found: dict[str, Any] = json.loads(webauthn.options_to_json(options))
        return found

    async def add_passkey(
        self, auth: AuthSession, credential: dict[str, Any], name: str | None, device: str
    ) -> UserRecord:
        """Add the passkey that a browser made. A guest becomes the owner of an account without a password.

        After a recovery code it is the only way to sign in from then on.
        """
        person = auth.person
        kind = challenge_kind_for_new_passkey(person)
        challenge = self.require_own_challenge(credential, kind, auth.revocation_key)
        proof = await self.verify_credential(
            webauthn.verify_registration_response, credential=credential, expected_challenge=challenge
        )
        await self.consume_challenge(challenge, kind, person.id)
        account: dict[str, object] = {}
        if person.account is None:
            shown = await self.identities.require_available_name(name or person.name, person, account=True)
            account = {
                "name": shown,
                "account": text_validation.normalise_account_name(shown),
                "skeleton": confusable_skeleton(shown),
            }
        passkey = Passkey(
            bytes_to_base64url(proof.credential_id), person.id, proof.credential_public_key, proof.sign_count, device,
            self.clock.wall_time_ms(),
        )  # fmt: skip
        if recovery := await self.find_recovery(auth):
            if not await self.store.accounts.replace_sign_ins_by_passkey(recovery, passkey, self.clock.wall_time_ms()):
                raise Refused("passkey")
            await self.forget_cached_sessions_and_record_proof(auth)
            return await self.identities.reload_user(person.id)
        with translate_store_refusals():
            added = await self.store.accounts.add_passkey(passkey, MAX_PASSKEYS, auth.session, **account)
        if not added:
            raise Refused("account_taken" if account else "passkey")
        return await self.identities.reload_user(person.id)

    async def remove_passkey(self, person: UserRecord, passkey: str) -> None:
        """Refused: there is none such, or it is the last way to sign in."""
        with translate_store_refusals():
            if not await self.store.accounts.remove_passkey(person.id, passkey):
                raise Refused("no_passkey")

    async def make_passkey_sign_in_options(self) -> dict[str, Any]:
        """What a browser needs to sign in with a passkey; the passkey itself says whose it is."""
        options = webauthn.generate_authentication_options(
            rp_id=self.site,
            challenge=self.make_signed_challenge(SIGN_IN),
            timeout=CHALLENGE_MS,
            user_verification=UserVerificationRequirement.REQUIRED,
        )
        found: dict[str, Any] = json.loads(webauthn.options_to_json(options))
        return found

    async def verify_passkey_and_find_owner(self, credential: dict[str, Any]) -> tuple[UserRecord, str]:
        """The owner of a passkey, and its id. Refused: it proves nothing."""
        challenge = self.require_own_challenge(credential, SIGN_IN)
        found = await self.store.accounts.find_passkey_and_owner(str(credential.get("id", "")))
        if found is None:
            raise Refused("passkey")
        passkey, person = found
        proof = await self.verify_credential(
            webauthn.verify_authentication_response,
            credential=credential,
            expected_challenge=challenge,
            credential_public_key=passkey.key,
            credential_current_sign_count=passkey.counter,
        )
        await self.consume_challenge(challenge, SIGN_IN, person.id)
        if not await self.store.accounts.record_passkey_use(passkey, proof.new_sign_count, self.clock.wall_time_ms()):
            raise Refused("passkey")
        return person, passkey.id

    async def can_still_sign_in(self, person: UserRecord, passkey: str | None) -> bool:
        """Whether somebody can still sign in with a passkey of theirs; None: with the password that was verified."""
        if passkey is None:
            now = await self.store.users.get_user_by_id(person.id)
            return now is not None and now.password == person.password
        found = await self.store.accounts.find_passkey_and_owner(passkey)
        return found is not None and found[0].person == person.id

    # --- passwords --------------------------------------------------------------------------------------------

    async def change_password(self, auth: AuthSession, old: str, new: str, address: str) -> None:
        """Set a new password and sign out every other device.

        Who has none has signed in lately instead. Who came by a code needs no old one either; then the new one is the
        only way to sign in: whoever has another's passkey or codes has them for nothing.
        """
        identities, person = self.identities, await self.identities.reload_user(auth.person.id)
        if person.account is None:
            raise Refused("no_account")
        hashed = await identities.hash_password(new, address, person.id)
        if recovery := await self.find_recovery(auth):
            if not await self.store.accounts.replace_sign_ins_by_password(recovery, hashed, self.clock.wall_time_ms()):
                raise Refused("old_password")
            await self.forget_cached_sessions_and_record_proof(auth)
            return
        if person.password is None:
            await self.require_recent_proof(auth)
        elif not await identities.is_right_password(person.password, old, address, person.id):
            raise Refused("old_password")
        with translate_store_refusals():
            if not await self.store.accounts.replace_password(person.id, person.password, hashed, auth.session):
                raise Refused("old_password")  # it was replaced meanwhile
        await identities.end_sessions_of_user(person, but=auth.revocation_key)

    async def remove_password(self, person: UserRecord) -> None:
        """Refused: it is the last way to sign in."""
        with translate_store_refusals():
            await self.store.accounts.remove_password(person.id)

    # --- recovery codes ---------------------------------------------------------------------------------------

    async def replace_recovery_codes(self, auth: AuthSession) -> list[str]:
        """Ten codes instead of all earlier ones; known only to whom they are given."""
        if auth.person.account is None or auth.person.author is not None:
            raise Refused("no_account")
        codes = [make_recovery_code() for _ in range(CODES)]
        with translate_store_refusals():
            await self.store.accounts.replace_recovery_codes(
                auth.person.id, [hash_recovery_code(code) for code in codes], auth.session
            )
        return codes

    async def replace_recovery_link_code(self, person: UserRecord) -> str:
        """A code for a link that the host hands to somebody who cannot sign in any more; valid for a day."""
        code = make_recovery_code()
        await self.store.accounts.replace_recovery_link_code(
            person.id, hash_recovery_code(code), self.clock.wall_time_ms() + LINK_MS
        )
        return code

    async def sign_in_by_recovery_code(self, name: str, code: str, device: str) -> tuple[UserRecord, str]:
        """Sign the owner of an account in who gives one of its codes; errors do not say what was wrong.

        Returns the owner and the cookie's value.
        """
        found, now = await self.identities.find_account_by_any_name(name), self.clock.wall_time_ms()
        if found is None:
            raise Refused("code")
        token = secrets.token_urlsafe(24)
        session = Session(hash_session_token(token), found.id, now, now, device)
        recovery = make_recovery_of_session(found, session.id)
        if not await self.store.accounts.begin_recovery_session(
            recovery, session, hash_recovery_code(code), now, now + RECOVERED_MS
        ):
            raise Refused("code")
        return found, token

    async def find_recovery(self, auth: AuthSession) -> Recovery | None:
        """The recovery that a session began with, lately, if no new way to sign in was set since."""
        if auth.session is None:
            return None
        found = make_recovery_of_session(auth.person, auth.session)
        is_valid = await self.store.accounts.has_valid_proof(
            found.challenge, RECOVERED, found.person, self.clock.wall_time_ms()
        )
        return found if is_valid else None

    async def require_no_other_recovery(self, auth: AuthSession, session: str | None = None) -> None:
        """Refused: another session's recovery is in progress; or that one's. Whoever began it with a code, and not who
        knows the password, is taken for the owner."""
        others = await self.store.sessions.recovering_session_ids(auth.person.id) - {auth.session}
        if others and (session is None or session in others):
            raise Refused("recovering")

    async def forget_cached_sessions_and_record_proof(self, auth: AuthSession) -> None:
        """A new way replaced all others and every other session: processes and pages are notified of it."""
        await self.identities.forget_cached_sessions_everywhere()
        await self.record_recent_proof(auth.person, auth.revocation_key)

    # --- asking again who it is -------------------------------------------------------------------------------

    async def record_recent_proof(self, person: UserRecord, key: str) -> None:
        """Somebody has just proved who they are."""
        now = self.clock.wall_time_ms()
        await self.store.accounts.add_or_renew_proof(make_recent_proof(person, key, now), now)

    async def require_recent_proof(self, auth: AuthSession) -> None:
        """Refused: this session's owner proved too long ago who they are. There is nothing to ask a guest, or who
        replaces all ways to sign in."""
        if auth.person.account is None or await self.find_recovery(auth):
            return
        id_ = hash_session_token(f"recent {auth.revocation_key}")
        if not await self.store.accounts.has_valid_proof(id_, RECENT, auth.person.id, self.clock.wall_time_ms()):
            raise Refused("not_recent")

    async def confirm_identity(
        self, auth: AuthSession, password: str, code: str, credential: dict[str, Any] | None, address: str
    ) -> None:
        """A signed-in owner proves again who they are. Refused: it is no proof, or another's."""
        person = await self.identities.reload_user(auth.person.id)
        if credential is not None:
            if (await self.verify_passkey_and_find_owner(credential))[0].id != person.id:
                raise Refused("passkey")
        elif code:
            if not await self.store.accounts.consume_recovery_code(
                person.id, hash_recovery_code(code), self.clock.wall_time_ms()
            ):
                raise Refused("code")
        elif not await self.identities.is_right_password(person.password, password, address, person.id):
            raise Refused("old_password")
        await self.record_recent_proof(person, auth.revocation_key)

    # --- names ------------------------------------------------------------------------------------------------

    async def rename_user(self, auth: AuthSession, name: str) -> UserRecord:
        """Change a name; an account's once in a month, by whoever has proved lately who they are."""
        person = auth.person
        shown = await self.identities.require_available_name(name, person, account=person.account is not None)
        if shown == person.name:
            return person
        if person.account is None:
            renamed = await self.store.users.update_guest(person.id, name=shown)
        else:
            await self.require_recent_proof(auth)
            now, key = self.clock.wall_time_ms(), text_validation.normalise_account_name(shown)
            try:
                with translate_store_refusals():
                    renamed = await self.store.accounts.rename_account(person, shown, key, now, auth.session)
            except RenamedLately as lately:
                left_ms = lately.at + RENAME_INTERVAL_MS - now
                raise Refused("renamed_lately", n=-(-left_ms // DAY_MS)) from None
        if not renamed:
            raise Refused("account_taken")
        return await self.identities.reload_user(person.id)
