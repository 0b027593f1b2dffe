"""The command line: what each command prints, and a sentence and an exit code for whatever is wrong."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import landfall
from landfall import cli, rulebook
from landfall.cli import matches
from landfall.core.languages import LANGUAGES
from landfall.core.rng import Rng
from landfall.core.state import OVER, list_choices_one_by_one
from landfall.game_checks.match_checks import random_match
from landfall.games import BUILT_IN_GAMES, GAME_NAMES
from landfall.kernels.host import load_kernel
from landfall.lab import pictures, rule_test_coverage
from landfall.match import Match
from landfall.terminal.translator import Translator

GAME = GAME_NAMES[0]
KEYS = "game players bots games decisions seconds games_per_second decisions_per_second compiled wins mean_scores"


def run(*args: str, typed: str = "") -> Result:
    """One command in this process; anything but a clean exit fails the test."""
    result = CliRunner().invoke(cli.app, list(args), input=typed)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def test_without_the_built_client_play_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(matches, "CLIENT_PAGE", tmp_path / "index.html")
    result = run("play", GAME)
    assert result.exit_code == 2
    assert "the browser client is not built here (make client)" in result.stderr


def test_version_names_the_engine() -> None:
    result = run("--version")
    kernels = ", ".join(name for name in BUILT_IN_GAMES if load_kernel(name) is not None) or "none"
    assert result.stdout == f"landfall {landfall.__version__}, engine {landfall.ENGINE}, kernels {kernels}\n"
    assert result.exit_code == 0


@pytest.mark.parametrize("name", GAME_NAMES)
def test_sim_prints_one_json_object(name: str) -> None:
    args = ("sim", name, "--players", "2", "--games", "3", "--seed", "5", "--json")
    result = run(*args)
    assert result.exit_code == 0
    got = json.loads(result.stdout)
    assert list(got) == KEYS.split()
    assert (got["game"], got["players"], got["games"]) == (name, 2, 3)
    assert got["compiled"] == (landfall.ENGINE == "compiled")
    assert sum(got["wins"]) == pytest.approx(3)
    assert len(got["wins"]) == len(got["mean_scores"]) == 2
    assert got["games_per_second"] == pytest.approx(3 / got["seconds"])
    again = json.loads(run(*args).stdout)
    assert all(again[key] == got[key] for key in ("decisions", "wins", "mean_scores"))


@pytest.mark.parametrize("name", GAME_NAMES)
def test_sim_prints_a_table_of_seats(name: str) -> None:
    result = run("sim", name, "--players", "2", "--games", "1", "--bots", "greedy,random")
    assert result.exit_code == 0
    for word in ("greedy", "random", *landfall.game(name).colours[:2], "decisions/s"):
        assert word in result.stdout


@pytest.mark.once
def test_sim_tells_bots_with_different_parameters_apart() -> None:
    bots = ["mcts:iters=2", "mcts:iters=3"]
    args = ("sim", "atlandice", "--players", "2", "--games", "1", "--bots", ",".join(bots))
    assert json.loads(run(*args, "--json").stdout)["bots"] == bots
    shown = run(*args).stdout
    assert all(code in shown for code in bots)


@pytest.mark.once
@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        ("sim chess", "there is no game called 'chess'; the games are "),
        ("sim {game} --players 9", "9 cannot play: the game is for "),
        ("sim {game} --players -1", "-1 cannot play: the game is for "),
        ("sim {game} --set nonsense=1", "there is no option nonsense; the options are "),
        ("sim {game} --set nonsense", "--set nonsense: write OPTION=VALUE"),
        ("sim {game} --set a=1 --set a=2", "--set a=2: a is given twice"),
        ("sim {game} --set a=@nowhere.json", "nowhere.json cannot be read: No such file"),
        ("sim {game} --players 2 --bots greedy", "1 bots for 2 players: give one a seat"),
        ("sim {game} --players 2 --bots greedy,genius", "bot 'genius': there is no bot called 'genius'"),
        ("sim {game} --players 2 --bots greedy,mine.py:My", "there is no file 'mine.py'"),
        ("play chess --text", "there is no game called 'chess'"),
        ("play {game} --text --seat 9", "there is no seat 9"),
        ("play {game} --text --players 2 --bots greedy,greedy", "2 bots for 1 other players: give one a seat"),
        ("play {game} --text --language tlh", "there is no language 'tlh'; there are en, pt, zh, bg"),
        ("replay nowhere.txt", "nowhere.txt cannot be read: No such file"),
        ("replay nowhere.txt --language tlh", "there is no language 'tlh'"),
        ("rules chess", "there is no game called 'chess'"),
        ("bench chess", "there is no game called 'chess'"),
    ],
)
def test_wrong_arguments_get_a_sentence(args: str, sentence: str) -> None:
    result = run(*args.format(game=GAME).split())
    assert result.exit_code == 2
    assert result.stderr.startswith("landfall: ")
    assert sentence in result.stderr
    assert result.stdout == ""


@pytest.mark.once
@pytest.mark.parametrize(
    "args",
    ["sim", "sim {game} --games 0", "sim {game} --games -3", "sim {game} --games many", "nonsense", "replay x --to -1"],
)
def test_arguments_of_the_wrong_form_get_a_usage_line(args: str) -> None:
    result = run(*args.format(game=GAME).split())
    assert result.exit_code == 2
    assert "Usage: " in result.stderr


@pytest.mark.once
def test_a_setting_from_a_file_that_is_no_json_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "clock.json"
    path.write_text("{")
    result = run("sim", GAME, "--set", f"clock=@{path}")
    assert result.exit_code == 2
    assert "is no JSON" in result.stderr


@pytest.mark.once
def test_a_bad_option_is_reported_in_the_players_language() -> None:
    result = run("play", GAME, "--text", "--players", "9", "--language", "pt")
    assert result.exit_code == 2
    assert "número de jogadores inválido: 9" in result.stderr


def test_bench_measures_every_game() -> None:
    result = run("bench", "--seconds", "0.01")
    assert result.exit_code == 0
    for name in GAME_NAMES:
        assert name in result.stdout
    assert "ns" in result.stdout


# --- rules ------------------------------------------------------------------------------------------------------


@pytest.mark.once
def test_rules_lists_every_rule_and_fails_if_one_has_no_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = [rule.id for rule in rulebook.load_rules(GAME)]
    (tmp_path / "conftest.py").touch()
    test = tmp_path / "game" / "test_it.py"
    test.parent.mkdir()
    marks = "".join(f'@pytest.mark.rule("{i}")\ndef test_{n}(): ...\n' for n, i in enumerate(ids))
    test.write_text(marks)
    monkeypatch.setattr(rule_test_coverage, "tests_dir", lambda: tmp_path)
    result = run("rules", GAME)
    assert result.exit_code == 0
    assert f"{ids[0]:8}   game/test_it.py:1" in result.stdout
    assert f"{len(ids)} of {len(ids)} rules are proven by tests; 0 are read a second time." in result.stdout
    reading = tmp_path / "second_implementation" / f"{GAME}.py"
    reading.parent.mkdir()
    reading.write_text(f'"""{ids[0]}"""\n')
    result = run("rules", GAME)
    assert f"{ids[0]:8} 2 game/test_it.py:1" in result.stdout
    assert "; 1 are read a second time." in result.stdout
    reading.write_text(f'"""{ids[0].split(".")[0]}.Z98-Z99"""\n')
    result = run("rules", GAME)
    assert result.exit_code == 1
    assert f"second/{GAME}.py: there is no rule" in result.stderr
    reading.unlink()
    test.write_text(marks.replace(f'"{ids[3]}"', '"XX.Y1"'))
    result = run("rules", GAME)
    assert result.exit_code == 1
    assert f"No test: {ids[3]}\n" in result.stderr
    test.write_text(marks + f'@pytest.mark.rule("{ids[0].split(".")[0]}.Z99")\ndef test_z(): ...\n')
    result = run("rules", GAME)
    assert result.exit_code == 1
    assert "there is no rule" in result.stderr
    test.write_text(marks + "@pytest.mark.rule(NAME)\ndef test_z(): ...\n")
    result = run("rules", GAME)
    assert result.exit_code == 1
    assert "must be given as plain strings" in result.stderr


@pytest.mark.once
def test_rules_without_tests_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rule_test_coverage, "tests_dir", lambda: None)
    result = run("rules")
    assert result.exit_code == 1
    assert "there are no tests here" in result.stderr


# --- replay -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAME_NAMES)
def test_replay_tells_a_match_in_words(name: str, tmp_path: Path) -> None:
    match = random_match(name, (2, {}), seed=3)
    path = tmp_path / "match.txt"
    path.write_text(match.record(), encoding="utf-8")
    result = run("replay", str(path))
    assert result.exit_code == 0
    assert f"Position {match.state.digest()}" in result.stdout
    assert "The match is over." in result.stdout
    assert "event." not in result.stdout
    assert f"{len(match.log):4} " in result.stdout
    for language in LANGUAGES:
        told = run("replay", str(path), "--language", language, "--to", "20")
        assert told.exit_code == 0
        assert "event." not in told.stdout
        assert "cli." not in told.stdout


@pytest.mark.parametrize("name", GAME_NAMES)
def test_replay_to_a_point_as_a_seat_hides_what_it_may_not_know(name: str, tmp_path: Path) -> None:
    match = random_match(name, (2, {}), seed=3)
    path = tmp_path / "match.txt"
    path.write_text(match.record(), encoding="utf-8")
    part = random_match(name, (2, {}), seed=3, most=15)
    result = run("replay", str(path), "--to", str(len(part.log)), "--seat", "1")
    assert result.exit_code == 0
    assert part.state.digest() not in result.stdout
    shown = [line[5:].split(": ")[1] for line in result.stdout.splitlines() if line[:4].strip().isdigit()]
    assert shown == [line.removeprefix("*") for line in part.log_lines(1)]
    teller = Translator(part.game, 2, "en")
    told = [line[7:] for line in result.stdout.splitlines() if line.startswith(" " * 7)]
    assert told == [teller.event_sentence(event) for event in part.events(seat=1)], "as the seat may know it"
    result = run("replay", str(path), "--seat", "2")
    assert result.exit_code == 2
    assert "there is no seat 2" in result.stderr


@pytest.mark.parametrize("name", GAME_NAMES)
def test_replay_draws_a_picture_or_a_film_of_what_the_seat_may_see(name: str, tmp_path: Path) -> None:
    match = random_match(name, (2, {}), seed=3, most=25)
    path, drawn = tmp_path / "match.txt", tmp_path / "match.svg"
    path.write_text(match.record(), encoding="utf-8")
    for seat, flags in ((None, []), (1, ["--seat", "1"])):
        assert run("replay", str(path), "--svg", str(drawn), *flags).exit_code == 0
        assert drawn.read_text(encoding="utf-8") == pictures.render_svg(match.view(seat), match.seats)
    assert run("replay", str(path), "--svg", str(drawn), "--film").exit_code == 0
    assert drawn.read_text(encoding="utf-8") == pictures.render_film(
        list(pictures.iterate_views_after_choices(match, None)), match.seats
    )
    nowhere = run("replay", str(path), "--svg", str(tmp_path / "none" / "match.svg"))
    assert (nowhere.exit_code, "No such file" in nowhere.stderr) == (1, True)
    assert "--svg OUT says where" in run("replay", str(path), "--film").stderr


@pytest.mark.parametrize("name", GAME_NAMES)
def test_a_damaged_record_gets_line_and_reason(name: str, tmp_path: Path) -> None:
    lines = random_match(name, (2, {}), seed=3).record().split("\n")
    path = tmp_path / "match.txt"
    path.write_text("\n".join([*lines[:20], "nonsense", *lines[20:]]), encoding="utf-8")
    result = run("replay", str(path))
    assert result.exit_code == 1
    assert f"{path}: line 21: " in result.stderr
    path.write_bytes(b"\xff\xfe\x00")
    result = run("replay", str(path))
    assert result.exit_code == 1
    assert "is no text file" in result.stderr


@pytest.mark.parametrize("field", ["options", "seats", "game", "line"])
def test_a_record_gives_a_terminal_no_commands(field: str, tmp_path: Path) -> None:
    """Escape sequences in whatever a record says. Rich draws none into a pipe: any that are left are the record's."""
    evil = "\x1b]0;owned\x07\x9b31m"
    said = {"options": json.dumps({evil: 1}), "seats": json.dumps([evil, "B"]), "game": evil}
    lines = random_match(GAME, (2, {}), seed=3).record().split("\n")
    start = lines.index("---")
    head = [f"{field}: {said[field]}" if row.startswith(f"{field}:") else row for row in lines[:start]]
    body = [f"{evil}{lines[start + 1]}", *lines[start + 2 :]] if field == "line" else lines[start + 1 :]
    path = tmp_path / "match.txt"
    path.write_text("\n".join([*head, "---", *body]), encoding="utf-8")
    result = run("replay", str(path))
    assert result.exit_code == (0 if field == "seats" else 1)
    printed = result.stdout + result.stderr
    assert len(printed) > 20
    assert not set(printed) & {chr(n) for n in (*range(9), *range(11, 32), *range(127, 160))}


# --- play -------------------------------------------------------------------------------------------------------


def answers(name: str, seed: int, seat: int, players: int = 2) -> list[str]:
    """What a person who always takes the first choice would type, found by playing the same match here."""
    from landfall.bots.contract import Seat
    from landfall.bots.greedy_bot import GreedyBot
    from landfall.lab.experiments.simulation import seat_rngs

    match = Match(name, players, rng=Rng(seed))
    rngs = seat_rngs(seed, players)
    typed = []
    while match.actor != OVER:
        if match.actor != seat:
            match.play(GreedyBot().choose(Seat.from_state(match.state, name, rngs[match.actor])))
            continue
        choices = list_choices_one_by_one(match.state, seat)
        if len(choices) > 1:
            typed.append(str(choices[0]["text"]))
        match.play(match.legal_actions()[0])
    return typed


@pytest.mark.parametrize("name", GAME_NAMES)
def test_a_scripted_person_plays_to_the_end(name: str) -> None:
    typed = answers(name, seed=3, seat=0)
    assert len(typed) > 5
    result = run("play", "--text", name, "--players", "2", "--seed", "3", typed="\n".join([*typed, ""]))
    assert result.exit_code == 0
    assert "The match is over." in result.stdout
    assert "1. " in result.stdout
    for key in ("event.", "act.", "ask.", "cli.", "Goodbye"):
        assert key not in result.stdout


@pytest.mark.once
@pytest.mark.parametrize("name", GAME_NAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_command_answers_in_every_language(name: str, language: str, tmp_path: Path) -> None:
    saved = tmp_path / "saved.txt"
    first = answers(name, seed=4, seat=0)[0]
    rule = rulebook.load_rules(name)[0].id
    looking = ["help", "hint", "log", "board", "undo", "rules", f"rules {rule}", "rules XX.Y1"]
    saving = [f"save {saved}", "save", f"save {tmp_path}"]
    asking = ["? nonsense", "? one two", f"? {first}", "?", "99", "nonsense", ""]
    script = [*looking, *saving, *asking, first, "undo", "1", "1", "quit"]
    result = run(
        "play", "--text", name, "--players", "2", "--seed", "4", "--language", language, typed="\n".join(script) + "\n"
    )
    assert result.exit_code == 0
    for key in ("event.", "act.", "ask.", "cli.", "why.", "colour."):
        assert key not in result.stdout
    assert Match.replay(saved.read_text(encoding="utf-8")).game.name == name


def test_the_end_of_the_input_is_a_polite_goodbye() -> None:
    result = run("play", "--text", GAME, "--players", "2", typed="")
    assert result.exit_code == 0
    assert result.stdout.rstrip().endswith("Goodbye. The match was not finished.")


def test_the_console_entry_pipes_without_colours_or_bars() -> None:
    command = [str(Path(sys.executable).parent / "landfall"), "sim", GAME, "--players", "2", "--games", "2", "--json"]
    done = subprocess.run(command, env=dict(os.environ), capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["games"] == 2
    assert done.stderr == ""
