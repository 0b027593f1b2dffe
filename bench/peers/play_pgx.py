"""Pgx's games, compiled by JAX for this processor: many matches at once, with observations and masks, masked random
actions and automatic restarts; a hundred steps per call, so that Python costs little."""

from __future__ import annotations

from functools import partial
from itertools import product

import jax
import jax.numpy as jnp
import pgx
from pgx.experimental import auto_reset

from bench.peers.answer_loop import Work, answer_requests

STEPS = 100


def prepare_vector_play(name: str, matches: int) -> Work:
    env = pgx.make(name)
    begin, step = jax.jit(jax.vmap(env.init)), jax.vmap(auto_reset(env.step, env.init))

    def one(carry, key):  # type: ignore[no-untyped-def]
        state, seen = carry
        draw, chance = jax.random.split(key)
        logits = jnp.log(state.legal_action_mask.astype(jnp.float32))
        action = jax.random.categorical(draw, logits, axis=1)
        state = step(state, action, jax.random.split(chance, matches))
        return (state, seen + state.observation.sum()), None  # used, so that it is not optimised away

    @jax.jit
    def steps(state, key):  # type: ignore[no-untyped-def]
        return jax.lax.scan(one, (state, jnp.float32(0)), jax.random.split(key, STEPS))[0]

    kept = {"state": begin(jax.random.split(jax.random.key(1), matches)), "key": jax.random.key(2)}

    def work() -> int:
        kept["key"], key = jax.random.split(kept["key"])
        kept["state"], seen = steps(kept["state"], key)
        seen.block_until_ready()
        return STEPS * matches

    return work


if __name__ == "__main__":
    tables = product(("backgammon", "connect_four"), (64, 1024))
    answer_requests({f"{name}_{matches}": partial(prepare_vector_play, name, matches) for name, matches in tables})
