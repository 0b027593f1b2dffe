"""The ladder and the replayed thought: what they count, that they go on where they stopped, what they show."""

import json
import math
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner, Result

import landfall
from landfall.cli import app
from landfall.cli.common import EXIT_BAD_INPUT, EXIT_FAILED, EXIT_INTERRUPTED
from landfall.core.errors import LandfallError
from landfall.core.rng import Rng
from landfall.lab.charts import draw_ladder, format_interval_bar
from landfall.lab.experiments import ladder as lad
from landfall.lab.experiments.bradley_terry import rate_by_bradley_terry
from landfall.lab.experiments.result_log import ResultLogError
from landfall.lab.experiments.simulation import wilson_interval
from landfall.lab.training.train import evaluation_duration_s
from landfall.lab.worker_pool import InlinePool, ProcessPool
from landfall.match import Match
from landfall.optional_dependencies import install_command

SETTING = lad.LadderSetting("atlandice", 2, {}, 1)


def run(*args: str) -> Result:
    return CliRunner().invoke(app, list(args))


def quiet(_: object) -> None:
    """Nobody is told of progress."""


@pytest.mark.once
def test_two_players_meet_once_and_more_meet_both_ways_round() -> None:
    assert lad.make_pairings(["a", "b", "c"], 2) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert lad.make_pairings(["a", "b"], 4) == [("a", "b"), ("b", "a")]
    assert lad.make_pairings(["a", "b", "c"], 4, "b") == [("a", "b"), ("c", "b")]
    with pytest.raises(LandfallError, match="named twice"):
        lad.make_pairings(["a", "a"], 2)


@pytest.mark.once
def test_every_deal_is_played_from_every_seat() -> None:
    setting = lad.LadderSetting("atlandice", 3, {}, 1)
    played = [lad.play_task(setting, lad.GameTask("greedy", "random", n)) for n in range(6)]
    again = [lad.play_task(setting, lad.GameTask("greedy", "random", n)) for n in range(6)]
    assert [(p.share, p.places) for p in played] == [(p.share, p.places) for p in again]
    for n, one in enumerate(played):
        assert (one.share > 0) == (one.places[n % 3] == 1)
        assert min(one.places) == 1
        assert one.lone_time[0] > 0


@pytest.mark.once
def test_a_ladder_goes_on_where_it_stopped(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    codes = ["greedy", "random"]
    whole = [(p.number, p.share, p.places) for p in lad.run_ladder(SETTING, codes, 6, None, InlinePool(), quiet)]
    count = 0

    def counted(_: object) -> None:
        nonlocal count
        count += 1

    lad.run_ladder(SETTING, codes, 4, path, InlinePool(), counted)
    path.write_text(path.read_text() + '{"cut sho')
    again = lad.run_ladder(SETTING, codes, 6, path, InlinePool(), counted)
    assert count == 6, "four games, then the two that were missing"
    assert [(p.number, p.share, p.places) for p in again] == whole
    assert lad.run_ladder(SETTING, codes, 6, path, InlinePool(), counted) == again
    assert count == 6
    with pytest.raises(ResultLogError, match="holds another ladder"):
        lad.load_results(path, lad.LadderSetting("atlandice", 2, {}, 2))


@pytest.mark.once
def test_several_processes_play_the_same_games(tmp_path: Path) -> None:
    codes = ["greedy", "random"]
    one = lad.run_ladder(SETTING, codes, 4, None, InlinePool(), quiet)
    with ProcessPool(2) as pool:
        two = lad.run_ladder(SETTING, codes, 4, tmp_path / "log", pool, quiet)
    assert [(p.number, p.share, p.places) for p in one] == [(p.number, p.share, p.places) for p in two]


@pytest.mark.once
def test_the_interval_is_wilsons() -> None:
    low, high = wilson_interval(0.5, 100)
    assert (round(low, 4), round(high, 4)) == (0.4038, 0.5962)
    assert wilson_interval(1.0, 10)[1] == pytest.approx(1.0)
    assert 0.7 < wilson_interval(1.0, 10)[0] < 0.75
    assert wilson_interval(0.0, 0) == (0.0, 1.0)


def games(share: float, count: int) -> list[lad.GameResult]:
    """A pairing in which strong wins that share."""
    won = [n * share % 1 < share for n in range(count)]
    places = [[1, 2] if w == (n % 2 == 0) else [2, 1] for n, w in enumerate(won)]
    times = [10.0, 0.1, 0.02]
    return [
        lad.GameResult("strong", "weak", n, float(w), p, times, times)
        for n, (w, p) in enumerate(zip(won, places, strict=True))
    ]


@pytest.mark.once
def test_shares_and_ratings_tell_the_strong_from_the_weak() -> None:
    played = games(0.75, 40)
    (line,) = lad.summarise_pairings(played, 2)
    assert (line.games, line.share, line.par, round(line.ms, 3)) == (40, 0.75, 0.5, 10.0)
    assert line.low < 0.75 < line.high
    first, second = lad.rate_bots(played, ["weak", "strong"])
    assert first.code == "strong"
    assert first.mu > second.mu
    assert first.ordinal < first.mu


def round_robin(strengths: dict[str, float], deals: int, players: int = 2, luck: float = 0.0) -> list[lad.GameResult]:
    """Games in which the lone bot wins as often as Bradley and Terry's model says; with luck, the deal decides."""
    rng, found = Rng(7), []
    for n in range(deals * players):
        for a, b in lad.make_pairings(list(strengths), players):
            others = players - 1
            chance = strengths[a] / (strengths[a] + others * strengths[b])
            if luck:  # whoever sits in the better seat wins the more often
                chance += luck if n % players == n // players % players else -luck / others
            won = int(rng.randbelow(10**6)) < chance * 10**6
            at = n % players
            places = [1 if (seat == at) == won else 2 for seat in range(players)]
            found.append(lad.GameResult(a, b, n, float(won), places, [1.0, 0.1, 0.1], [1.0, 0.1, 0.1]))
    return found


@pytest.mark.once
@pytest.mark.parametrize("players", [2, 4])
def test_ratings_are_those_the_games_were_drawn_from(players: int) -> None:
    strengths = {"weak": 1.0, "middle": 2.0, "strong": 8.0}
    found = rate_by_bradley_terry(round_robin(strengths, 400, players), list(strengths))
    assert [one.code for one in found] == ["strong", "middle", "weak"]
    assert sum(one.elo for one in found) == pytest.approx(0, abs=1e-6)
    mean = sum(math.log10(one) for one in strengths.values()) / 3
    for one in found:
        true = 400 * (math.log10(strengths[one.code]) - mean)
        assert one.low < one.elo < one.high
        assert one.low - 15 < true < one.high + 15, one
        assert one.high - one.low < 80
        assert one.games == 400 * players * (2 if players == 2 else 4)


@pytest.mark.once
def test_a_bot_that_always_wins_has_a_finite_rating_and_one_that_never_played_has_none() -> None:
    found = rate_by_bradley_terry(games(1.0, 40), ["strong", "weak", "absent"])
    assert [one.code for one in found] == ["strong", "weak"]
    assert 400 < found[0].elo - found[1].elo < 1000
    assert found[0].low < found[0].elo - 50 < found[0].elo + 50 < found[0].high, "40 wins do not tell how much stronger"
    assert rate_by_bradley_terry(games(0.75, 40), ["weak", "strong"]) == rate_by_bradley_terry(
        games(0.75, 40), ["weak", "strong"]
    ), "the same games give the same intervals"


@pytest.mark.once
def test_paired_deals_narrow_the_intervals() -> None:
    """Where the deal decides most games, each bot wins once a deal, and the share is all the surer."""
    strengths = {"one": 1.0, "two": 1.0}
    (lucky,) = lad.summarise_pairings(round_robin(strengths, 200, luck=0.45), 2)
    (plain,) = lad.summarise_pairings(round_robin(strengths, 200), 2)
    alone = wilson_interval(lucky.share, lucky.games)
    assert lucky.high - lucky.low < 0.75 * (alone[1] - alone[0])
    assert plain.high - plain.low == pytest.approx(alone[1] - alone[0], rel=0.15)
    few = round_robin(strengths, lad.MIN_DEALS - 1, luck=0.45)
    assert lad.independent_games(few, 2) == len(few)
    ratings = [rate_by_bradley_terry(round_robin(strengths, 200, luck=luck), ["one", "two"])[0] for luck in (0.45, 0)]
    assert ratings[0].high - ratings[0].low < 0.75 * (ratings[1].high - ratings[1].low)


@pytest.mark.once
def test_pictures_show_every_pairing() -> None:
    lines = lad.summarise_pairings(games(0.75, 40), 2)
    rated = rate_by_bradley_terry(games(0.75, 40), ["strong", "weak"])
    both = ElementTree.fromstring(draw_ladder("atlandice <2>", lines, rated))
    shown = ["".join(t.itertext()) for t in both.iter("{http://www.w3.org/2000/svg}text")]
    assert {"strong", "weak", f"{rated[0].elo:+.0f} Elo"} <= set(shown)
    assert len(format_interval_bar(lines[0])) == 41
    assert format_interval_bar(lines[0]).index("●") == 30
    root = ElementTree.fromstring(draw_ladder("atlandice <2>", lines))
    texts = ["".join(t.itertext()) for t in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "strong – weak" in texts
    assert "75.0% of 40" in texts


@pytest.mark.once
def test_the_command_prints_draws_and_keeps(tmp_path: Path) -> None:
    log, picture = tmp_path / "l.jsonl", tmp_path / "p.svg"
    args = ("ladder", "atlandice", "--bots", "greedy,random", "--games", "2", "--cores", "1", "--log", str(log))
    shown = run(*args, "--svg", str(picture))
    assert shown.exit_code == 0, shown.output
    assert "greedy" in shown.output
    assert picture.read_text().startswith("<svg")
    assert len(log.read_text().splitlines()) == 3
    output = json.loads(run(*args, "--json").stdout)
    assert output["lines"][0]["games"] == 2
    assert {one["code"] for one in output["ratings"]} == {"greedy", "random"}
    assert all(one["low"] <= one["elo"] <= one["high"] for one in output["ratings"])
    assert "| greedy | random | 2 |" in run(*args, "--markdown").stdout
    for wrong, reason in {
        "greedy": "at least two bots",
        "greedy,greedy": "named twice",
        "greedy,nobody": "no bot called 'nobody'",
    }.items():
        refused = run("ladder", "atlandice", "--bots", wrong)
        assert refused.exit_code == EXIT_BAD_INPUT
        assert reason in refused.output


@pytest.mark.once
@pytest.mark.parametrize("games", [3, 0])
def test_a_ladder_that_is_stopped_shows_what_was_played(games: int, monkeypatch: pytest.MonkeyPatch) -> None:
    play, left = lad.play_task, games

    def interrupted(setting: lad.LadderSetting, task: lad.GameTask) -> lad.GameResult:
        nonlocal left
        if left == 0:
            raise KeyboardInterrupt
        left -= 1
        return play(setting, task)

    monkeypatch.setattr(lad, "play_task", interrupted)
    args = ("ladder", "atlandice", "--bots", "greedy,random", "--games", "9", "--cores", "1")
    shown = run(*args, "--markdown")
    assert shown.exit_code == EXIT_INTERRUPTED
    assert f"stopped after {games} of 9 games; --log FILE" in shown.stderr
    assert ("| greedy | random | 3 |" in shown.stdout) == bool(games)


@pytest.mark.once
def test_a_ladder_that_is_stopped_at_once_shows_what_its_log_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "l.jsonl"
    args = ("ladder", "atlandice", "--bots", "greedy,random", "--cores", "1", "--log", str(log), "--markdown")
    assert run(*args, "--games", "2").exit_code == 0

    def interrupted(*_: object) -> lad.GameResult:
        raise KeyboardInterrupt

    monkeypatch.setattr(lad, "play_task", interrupted)
    shown = run(*args, "--games", "9")
    assert shown.exit_code == EXIT_INTERRUPTED
    assert "stopped after 2 of 9 games; the same command goes on" in shown.stderr
    assert "| greedy | random | 2 |" in shown.stdout


def recorded(tmp_path: Path) -> tuple[Path, Match]:
    """A match of some length, saved."""
    match = Match("atlandice", 2, seed=4)
    rng = Rng(1)
    for _ in range(12):
        legal = match.legal_actions()
        match.play(legal[int(rng.randbelow(len(legal)))])
    path = tmp_path / "match.txt"
    path.write_text(match.record())
    return path, match


@pytest.mark.once
@pytest.mark.parametrize("code", ["mcts:iters=30", "greedy", "random"])
def test_a_bot_thinks_about_a_recorded_decision(tmp_path: Path, code: str) -> None:
    path, match = recorded(tmp_path)
    at = next(i for i, entry in enumerate(match.log) if entry.actor == 1)
    output = json.loads(run("think", str(path), "--at", str(at), "--bot", code, "--json").stdout)
    assert output["seat"] == 1
    assert output["played"] == match.log[at].text
    assert (output["chose"] in [t["action"] for t in output["thoughts"]]) == (code != "random")
    assert output["bot"].startswith(code)
    shown = run("think", str(path), "--at", str(at), "--bot", code)
    assert ("it tells no thoughts" if code == "random" else "chosen") in shown.output
    beyond = run("think", str(path), "--at", str(len(match.log) + 1), "--bot", code)
    assert beyond.exit_code == EXIT_BAD_INPUT
    assert f"the record has {len(match.log)} actions" in beyond.output
    chance = next(i for i, entry in enumerate(match.log) if entry.actor == -1)
    refused = run("think", str(path), "--at", str(chance), "--bot", code)
    assert refused.exit_code == EXIT_BAD_INPUT
    assert "chance decides" in refused.output


@pytest.mark.once
def test_a_record_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "no.txt"
    path.write_text("nothing")
    refused = run("think", str(path), "--at", "0")
    assert refused.exit_code == EXIT_FAILED
    assert "not a Landfall record" in refused.output


def test_training_without_torch_or_with_wrong_players_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    out = str(tmp_path / "net.npz")
    output = run("train", "atlandice", "--out", out)
    assert output.exit_code == EXIT_FAILED
    assert install_command("train") in output.output
    told = run("train", "atlandice", "--minutes", "1", "--out", out).output
    assert "atlandice: 1 minute into " in told
    assert ("give it more time" in told) == (landfall.ENGINE != "compiled")
    output = run("train", "atlandice", "--players", "2,7", "--out", out)
    assert output.exit_code == EXIT_FAILED
    assert "not played by 7" in output.output
    assert "--minutes" in run("train", "--help").output
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("minutes", "measuring"), [(0, 0), (1, 30), (2, 60), (4, 60), (5, 75), (12, 180), (60, 180)])
def test_a_short_training_leaves_time_to_measure_the_net(minutes: float, measuring: float) -> None:
    assert evaluation_duration_s(60 * minutes) == measuring
