"""A person in a terminal against bots. It reads lines, so that a script can play as well."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.console import Console
from rich.markdown import Markdown
from rich.markup import escape

from landfall import rulebook
from landfall.bots.contract import Bot, Seat
from landfall.bots.greedy_bot import GreedyBot
from landfall.core.errors import NotationError
from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER, list_choices_one_by_one
from landfall.core.text_catalogue import game_title
from landfall.lab.experiments.simulation import IllegalChoice, seat_rngs
from landfall.terminal.choice_menu import MenuItem, build_menu, format_menu
from landfall.terminal.translator import Translator, Words

if TYPE_CHECKING:
    from landfall.match import Match

BOT_BUDGET_S: Final = 2.0  # seconds a bot may take
LINE_MARK: Final = "#"  # before a typed number: the line of the menu
CHOICE_MARK: Final = "="  # before notation: the choice of that notation


class Quit(Exception):
    """The person leaves."""


class Session:
    """One match between a person and bots, from the first choice to the ranking."""

    def __init__(self, match: Match, seat: int, bots: list[Bot], seed: int, language: str, out: Console) -> None:
        self.match = match
        self.seat = seat
        self.bots = {n: bots[n - (n > seat)] for n in range(match.players) if n != seat}
        self.rngs = seat_rngs(seed, match.players)
        self.language = language
        self.out = out
        self.teller = Translator(match.game, match.players, language)
        self.events_noted = 0  # number of events already turned into notes
        self.notes: list[str] = []  # sentences not shown yet
        self.items: list[MenuItem] = []
        self.inside = False  # whether the current menu is a submenu
        self.commands = {
            "undo": self.undo,
            "hint": self.print_hint,
            "log": self.print_all_events,
            "board": self.print_board,
            "save": self.save_record,
            "rules": self.print_rule_or_list,
            "help": self.print_help,
        }

    def print(self, text: str, style: str = "") -> None:
        """Print a line verbatim: brackets in it are no markup."""
        self.out.print(escape(text), style=style or None, soft_wrap=True)

    def print_translated(self, key: str, /, **args: object) -> None:
        """Print a sentence."""
        self.print(self.teller.translate(key, **args))

    # --- the match --------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Play until the match is over or the person leaves."""
        self.print_translated("cli.welcome", game=game_title(self.language, self.match.game.name), you=self.seat)
        for number, bot in self.bots.items():
            self.print_translated("cli.opponent", seat=number, bot=bot.name)
        self.print_help("")
        try:
            while self.match.actor != OVER:
                if self.match.actor == self.seat:
                    self.ask_person_to_choose()
                else:
                    self.let_bot_choose()
        except Quit:
            self.print_translated("cli.goodbye")
            return
        self.print_board("")
        self.print_new_events()
        self.print_translated("cli.over")
        for line in self.teller.ranking_lines(self.match.state.ranking()):
            self.print(line)

    def let_bot_choose(self) -> None:
        """Play one choice of a bot."""
        number = self.match.actor
        bot = self.bots[number]
        events = self.match.events(seat=number) if bot.uses_events else None
        action = bot.choose(
            Seat.from_state(self.match.state, self.match.game.name, self.rngs[number], BOT_BUDGET_S, events)
        )
        rule = self.match.state.why_illegal(action) if isinstance(action, int) else "LF.1"
        if rule is not None:
            raise IllegalChoice(bot.name, action, rule)
        self.match.play(action, number)

    def ask_person_to_choose(self) -> None:
        """Ask the person until a choice is made or undone; a single choice is made automatically."""
        choices: list[Words] = [*list_choices_one_by_one(self.match.state, self.seat)]
        if len(choices) == 1:
            self.collect_events()
            self.notes.append(self.teller.translate("cli.only_choice", choice=self.teller.choice_sentence(choices[0])))
            self.play_choice(choices[0])
            return
        self.print_turn_screen(choices)
        version = len(self.match.log)
        while len(self.match.log) == version:
            self.execute_line(self.read_command(), choices)

    def play_choice(self, words: Words) -> None:
        action = words["action"]
        assert isinstance(action, int)
        self.match.play(action, self.seat)

    # --- what the person sees ---------------------------------------------------------------------------------

    def print_turn_screen(self, choices: list[Words]) -> None:
        """The board, the events, the question and the choices."""
        if self.out.is_terminal:
            self.out.clear()
        self.print_board("")
        self.print_new_events()
        ask = self.match.view(self.seat).get("ask")
        self.print(self.teller.translate("cli.turn", seat=self.seat) + " " + self.teller.translate(str(ask)), "bold")
        self.print_menu(build_menu(choices, self.teller), inside=False)

    def print_menu(self, items: list[MenuItem], inside: bool) -> None:
        """A numbered menu."""
        self.items, self.inside = items, inside
        for line in format_menu(items, self.teller):
            self.print(line)
        if inside:
            self.print(f"  0  {self.teller.translate('cli.back')}")

    def collect_events(self) -> None:
        """Turn the events since the last call into notes."""
        events = self.match.events(self.events_noted, self.seat)
        self.events_noted += len(events)
        self.notes.extend(self.teller.event_sentence(event) for event in events)

    def print_new_events(self) -> None:
        """Print the events since the person's last choice."""
        self.collect_events()
        if self.notes:
            self.print_translated("cli.news")
        for note in self.notes:
            self.print(f"  {note}")
        self.notes = []

    # --- input ------------------------------------------------------------------------------------------------

    def read_command(self) -> str:
        """One line; the end of the input quits."""
        try:
            return input("> ").strip()
        except (EOFError, KeyboardInterrupt):
            self.out.print()
            raise Quit from None

    def execute_line(self, line: str, choices: list[Words]) -> None:
        """Execute a line."""
        word, _, rest = line.partition(" ")
        if not line:
            return
        if line in ("quit", "exit"):
            raise Quit
        if line.startswith("?"):
            self.explain_refusal(line[1:].strip())
        elif word in self.commands:
            self.commands[word](rest.strip())
        elif line.isdecimal() and self.is_ambiguous(line, choices):
            label = self.items[int(line) - 1].label
            self.print_translated("cli.which_number", number=line, line=label)
        elif line.isdecimal() and not any(words["text"] == line for words in choices):
            self.choose_menu_item(int(line), choices)
        elif line[0] == LINE_MARK and line[1:].isdecimal():
            self.choose_menu_item(int(line[1:]), choices)
        else:
            self.play_text(line.removeprefix(CHOICE_MARK))

    def is_ambiguous(self, number: str, choices: list[Words]) -> bool:
        """Whether a typed number is a line of the menu, and also the notation of another choice."""
        named = [words for words in choices if words["text"] == number]
        if not named or not 1 <= int(number) <= len(self.items):
            return False
        return self.items[int(number) - 1].choices != named

    def choose_menu_item(self, number: int, choices: list[Words]) -> None:
        """Choose a menu line by its number."""
        if number == 0 and self.inside:
            self.print_menu(build_menu(choices, self.teller), inside=False)
        elif not 1 <= number <= len(self.items):
            self.print_translated("cli.no_number", number=number, last=len(self.items))
        else:
            item = self.items[number - 1]
            if item.action is not None:
                self.play_choice(item.choices[0])
            else:
                self.print_menu(build_menu(item.choices, self.teller), inside=True)

    def play_text(self, text: str) -> None:
        """Play a choice given in notation; if it is illegal, say why."""
        try:
            action = self.match.state.parse(text)
        except NotationError as error:
            self.print_translated(error.key, **error.arguments)
            return
        rule = self.match.state.why_illegal(action, self.seat)
        if rule is None:
            self.match.play(action, self.seat)
        else:
            self.print(self.teller.rule_reason(rule))

    def explain_refusal(self, text: str) -> None:
        """Say why a choice, or a piece in a place, is not allowed."""
        try:
            rule = self.match.state.why_illegal(self.match.state.parse(text), self.seat)
        except NotationError as error:
            piece, _, place = text.partition(" ")
            if not place:
                self.print_translated(error.key, **error.arguments)
                self.print_translated("cli.ask_what")
                return
            rule = self.match.state.why_cannot_move(self.seat, piece, place.strip())
        self.print(self.teller.rule_reason(rule) if rule else self.teller.translate("cli.allowed"))

    def print_help(self, rest: str) -> None:
        """Print the list of commands."""
        self.print_translated("cli.help")

    def print_board(self, rest: str) -> None:
        """Print the board as the person may see it."""
        self.out.print(self.match.game.render_terminal(self.match.view(self.seat), self.language), soft_wrap=True)

    def print_all_events(self, rest: str) -> None:
        """Print all events so far, as the person may see them now."""
        for event in self.match.events(0, self.seat):
            self.print(f"  {self.teller.event_sentence(event)}")

    def undo(self, rest: str) -> None:
        """Undo the last choice, with automatic ones, unless another player has acted since."""
        log = self.match.log
        if not any(entry.actor == self.seat for entry in log):
            self.print_translated("cli.undo_nothing")
        elif log[-1].actor != self.seat:
            self.print_translated("cli.undo_chance" if log[-1].actor == CHANCE else "cli.undo_others")
        else:
            self.rewind_to_own_choice()
            self.events_noted = min(self.events_noted, len(self.match.events()))
            self.print_translated("cli.undone")

    def rewind_to_own_choice(self) -> None:
        """Rewind to the last position with a real choice for the person."""
        while True:
            self.match.undo()
            log = self.match.log
            if len(self.match.legal_actions()) > 1 or not log or log[-1].actor != self.seat:
                return

    def print_hint(self, rest: str) -> None:
        """Print the greedy bot's choice, with the person's knowledge."""
        seat = Seat.from_state(self.match.state, self.match.game.name, Rng(len(self.match.log)))
        action = GreedyBot().choose(seat)
        words = self.match.state.action_to_dict(action)
        text = f"{self.teller.choice_sentence(words)} ({self.match.state.notation(action)})"
        self.print_translated("cli.hint", choice=text)

    def save_record(self, rest: str) -> None:
        """Write the record of the match to a file."""
        if not rest:
            self.print_translated("cli.save_where")
            return
        try:
            Path(rest).write_text(self.match.record(), encoding="utf-8")
        except OSError as error:
            self.print_translated("cli.save_failed", file=rest, reason=error.strerror or str(error))
        else:
            self.print_translated("cli.saved", file=rest)

    def print_rule_or_list(self, rest: str) -> None:
        """Print one rule by its id, or list the rules."""
        found = rulebook.load_rules(self.match.game.name, self.language)
        wanted = [rule for rule in found if rule.id.upper() == rest.upper()]
        if wanted:
            self.out.print(Markdown(wanted[0].text))
        elif rest:
            self.print_translated("cli.no_rule", rule=rest)
        else:
            for chapter in dict.fromkeys(rule.chapter for rule in found):
                ids = [rule.id for rule in found if rule.chapter == chapter]
                self.print(f"  {chapter}: {', '.join(ids)}")
            self.print_translated("cli.rules")
