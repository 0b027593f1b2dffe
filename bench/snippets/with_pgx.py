"""The tasks with Pgx."""

import jax
import pgx


def legal_moves() -> object:
    state = pgx.make("chess").init(jax.random.PRNGKey(3))
    return state.legal_action_mask.nonzero()[0].tolist()


def random_game() -> object:
    env = pgx.make("tic_tac_toe")
    key = jax.random.PRNGKey(1)
    state = env.init(key)
    while not state.terminated:
        key, part = jax.random.split(key)
        logits = jax.numpy.log(state.legal_action_mask.astype(jax.numpy.float32))
        state = env.step(state, jax.random.categorical(part, logits))
    return state.rewards.tolist()


def look_ahead() -> object:
    env = pgx.make("tic_tac_toe")
    state = env.init(jax.random.PRNGKey(3))
    ahead = env.step(state, state.legal_action_mask.argmax())
    return bool(ahead.terminated)


def picture() -> object:
    return pgx.make("chess").init(jax.random.PRNGKey(3)).to_svg()


def take_back() -> object:
    env = pgx.make("tic_tac_toe")
    state = env.init(jax.random.PRNGKey(3))
    env.step(state, 0)
    return bool(state.legal_action_mask[0])


def thousand_matches() -> object:
    env = pgx.make("tic_tac_toe")
    keys = jax.random.split(jax.random.PRNGKey(1), 1000)
    states = jax.vmap(env.init)(keys)
    logits = jax.numpy.log(states.legal_action_mask.astype(jax.numpy.float32))
    actions = jax.vmap(jax.random.categorical)(keys, logits)
    return jax.jit(jax.vmap(env.step))(states, actions).rewards.shape
