"""A study's report: one HTML file with its charts, and the same tables as Markdown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape
from typing import Final

from landfall.core.game import usual_player_count
from landfall.core.text_catalogue import game_title
from landfall.games import game as find_game
from landfall.lab import charts
from landfall.lab.experiments.game_statistics_study import (
    Figure,
    SetupResult,
    Study,
    add_sums,
    figure_difference,
    mean_figure,
)
from landfall.lab.experiments.game_study_definition import study_definition_of_game
from landfall.lab.experiments.simulation import wilson_interval

MIN_COUNT_TO_REPORT: Final = 30  # a mark on fewer seats is not reported
PAGE_STYLE: Final = """
body { font: 16px/1.5 system-ui, sans-serif; color: #1b2a33; background: #f4f1ea; margin: 0 }
main { max-width: 960px; margin: 0 auto; padding: 24px 16px 64px; background: #fff }
h1 { margin: 0 0 4px } h2 { margin: 40px 0 8px; border-bottom: 2px solid #27a } h3 { margin: 24px 0 4px }
.scroll { overflow-x: auto } table { border-collapse: collapse; font-size: 14px; margin: 8px 0 }
th, td { padding: 4px 10px; border-bottom: 1px solid #ddd; text-align: right; white-space: nowrap }
th:first-child, td:first-child { text-align: left } td.sure { font-weight: 700 }
svg { width: 100%; height: auto; max-width: 900px } .small { display: grid; gap: 8px;
grid-template-columns: repeat(auto-fit, minmax(280px, 1fr)) } .how { color: #55636b; font-size: 14px }
""".strip()
NumberFormat = Callable[[float], str]


@dataclass
class Section:
    """A heading, sentences, a table with significant cells marked by `**`, charts."""

    title: str
    words: list[str] = field(default_factory=list)
    head: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    pictures: list[str] = field(default_factory=list)
    small: bool = False


def format_number(x: float) -> str:
    return f"{x:,.0f}" if abs(x) >= 100 else f"{x:,.1f}" if abs(x) >= 10 else f"{x:,.2f}"


def format_percent(x: float) -> str:
    return f"{100 * x:.1f} %"


def make_signed_format(say: NumberFormat) -> NumberFormat:
    return lambda x: f"+{say(x)}" if x > 0 else say(x)


def format_figure(figure: Figure, say: NumberFormat, sure: bool = False) -> str:
    """Format a figure with its interval."""
    text = f"{say(figure.mid)} ({say(figure.low).removesuffix(' %')} – {say(figure.high).removesuffix(' %')})"
    return f"**{text}**" if sure else text


def share_figure(won: float, n: float) -> Figure:
    """A share with Wilson's interval."""
    low, high = wilson_interval(won / n if n else 0.0, round(n))
    return Figure(won / n if n else 0.0, low, high)


@dataclass(frozen=True)
class StudyResults:
    """The results of a study, with queries."""

    study: Study
    found: list[SetupResult]

    @property
    def round_name(self) -> str:
        """The name of a round in this game."""
        return study_definition_of_game(self.study.game).round[1]

    @property
    def base_game_by_players(self) -> list[SetupResult]:
        """The game as printed, by players."""
        return [one for one in self.found if not one.setup.options]

    @property
    def usual_base_game(self) -> SetupResult:
        """The game as printed, with as many players as usual."""
        count = usual_player_count(tuple(one.setup.players for one in self.base_game_by_players))
        return next(one for one in self.base_game_by_players if one.setup.players == count)

    @property
    def option_comparisons(self) -> list[tuple[SetupResult, SetupResult]]:
        """Each option, beside the game as printed with the same number of players."""
        base = {one.setup.players: one for one in self.base_game_by_players}
        return [(one, base[one.setup.players]) for one in self.found if one.setup.options]


def match_length_section(reading: StudyResults) -> Section:
    """The length of a match, and the number of choices."""
    head = ["", "matches", "decisions", reading.round_name, "choices a decision", "only one choice"]
    section = Section("How long it is", head=head)
    for one in reading.base_game_by_players:
        s, n = one.sums, one.sums["games"]
        figures = [
            (s["decisions"], format_number),
            (s["rounds"], format_number),
            (s["choices"], format_number),
            (s["forced"], format_percent),
        ]
        section.rows.append(
            [one.setup.name, f"{n:,}", *(format_figure(mean_figure(sums, n), say) for sums, say in figures)]
        )
    return section


def seats_section(reading: StudyResults) -> Section:
    """The effect of the seat."""
    words = [
        "Seat 1 begins. All seats are played by the same bot. So a seat that wins significantly more or less than its "
        "share has an advantage (green) or a handicap (red) by its place alone; the broken line is an even share."
    ]
    section = Section("Does it matter where one sits?", words, ["", "seat", "wins", "points"])
    for one in reading.base_game_by_players:
        s, n, players = one.sums, one.sums["games"], one.setup.players
        rows = []
        for seat in range(players):
            won, points = share_figure(s["wins"][seat], n), mean_figure(s["by_seat"][seat], n)
            sure = won.differs_significantly(1 / players)
            rows.append(charts.Dot(f"{players} players, seat {seat + 1}", won.mid, won.low, won.high, sure))
            section.rows.append(
                [
                    one.setup.name,
                    str(seat + 1),
                    format_figure(won, format_percent, sure),
                    format_figure(points, format_number),
                ]
            )
        section.pictures.append(charts.draw_dots_with_intervals(rows, 1 / players, format_percent))
    return section


def scores_section(reading: StudyResults) -> Section:
    """The distribution of points, and how close matches are."""
    words = ["Ahead at half-time: how often who would win if the match ended after half of its decisions wins it."]
    head = ["", "points a seat", "the winner's", "lead over the second", "shared wins", "ahead at half-time, wins"]
    section = Section("Points", words, head, small=True)
    for one in reading.base_game_by_players:
        s, n = one.sums, one.sums["games"]
        figures = [format_figure(mean_figure(s[name], n), format_number) for name in ("points", "winning", "margin")]
        section.rows.append(
            [
                one.setup.name,
                *figures,
                format_figure(share_figure(s["shared"], n), format_percent),
                format_figure(share_figure(s["ahead"], n), format_percent),
            ]
        )
        section.pictures.append(charts.draw_histogram({int(k): v for k, v in s["spread"].items()}, one.setup.name))
    return section


def marks_of_winners_section(reading: StudyResults) -> Section:
    """The marks of winners against those of others."""
    one = reading.usual_base_game
    players, n = one.setup.players, one.sums["games"]
    words = [
        f"With {players} players: of the seats that did this or to whom it happened, how many won, beside an even "
        f"share of {format_percent(1 / players)}. What goes with winning need not be its cause: who plays longer does "
        f"more of everything. Reported is what at least "
        f"{MIN_COUNT_TO_REPORT} seats have and {MIN_COUNT_TO_REPORT} have not; the rest is too rare."
    ]
    section = Section("What decides", words, ["", "seats", "they win", "others win", "difference"])
    together: dict[str, list[float]] = {}
    for seat in one.sums["marks"]:
        together = add_sums(together, seat)
    compared = []
    for name, (having, won) in together.items():
        others = n * players - having
        if having >= MIN_COUNT_TO_REPORT and others >= MIN_COUNT_TO_REPORT:
            with_it, without = share_figure(won, having), share_figure(n - won, others)
            compared.append((figure_difference(without, with_it), name, having, with_it, without))
    compared.sort(key=lambda row: -row[0].mid)
    for gap, name, having, with_it, without in compared:
        often = format_percent(having / (n * players))
        cells = [
            format_figure(with_it, format_percent),
            format_figure(without, format_percent),
            format_figure(gap, make_signed_format(format_percent), gap.differs_significantly()),
        ]
        section.rows.append([name, often, *cells])
    rows = [charts.Dot(name, w.mid, w.low, w.high, gap.differs_significantly()) for gap, name, _, w, _ in compared]
    section.pictures.append(charts.draw_dots_with_intervals(rows, 1 / players, format_percent))
    return section


def point_sources_section(reading: StudyResults) -> Section:
    """The sources of points, for winners and others."""
    one = reading.usual_base_game
    players, n = one.setup.players, one.sums["games"]
    title = "Where the points come from"
    section = Section(title, [f"With {players} players, points a seat."], ["", "winners", "others", "difference"])
    together: dict[str, list[float]] = {}
    for seat in one.sums["parts"]:
        together = add_sums(together, seat)
    winners = one.sums["winners"]
    rows = []
    for name, (a, aa, b, bb) in sorted(together.items()):
        won, rest = mean_figure([a, aa], winners), mean_figure([b, bb], n * players - winners)
        gap = figure_difference(rest, won)
        section.rows.append(
            [
                name,
                format_figure(won, format_number),
                format_figure(rest, format_number),
                format_figure(gap, make_signed_format(format_number), gap.differs_significantly()),
            ]
        )
        rows.append(charts.Dot(name, gap.mid, gap.low, gap.high, gap.differs_significantly()))
    if rows:
        section.pictures.append(charts.draw_dots_with_intervals(rows, 0.0, make_signed_format(format_number)))
    return section


MEASURES: Final[list[tuple[str, str, NumberFormat]]] = [
    ("decisions", "decisions", format_number),
    ("rounds", "", format_number),
    ("choices", "choices a decision", format_number),
    ("points", "points a seat", format_number),
    ("margin", "lead", format_number),
]


def options_section(reading: StudyResults) -> Section:
    """The effect of each option."""
    words = [
        "Each by itself (with those it needs), beside the game as printed with as many players: the change, bold where "
        "it is significant."
    ]
    head = [
        "",
        "players",
        *(name or reading.round_name for _, name, _ in MEASURES),
        "ahead at half-time",
        "seat 1 wins",
    ]
    section = Section("What options change", words, head)
    rows = []
    for one, base in reading.option_comparisons:
        a, b, n, m = base.sums, one.sums, base.sums["games"], one.sums["games"]
        gaps = [(figure_difference(mean_figure(a[what], n), mean_figure(b[what], m)), say) for what, _, say in MEASURES]
        gaps += [(figure_difference(share_figure(a["ahead"], n), share_figure(b["ahead"], m)), format_percent)]
        gaps += [(figure_difference(share_figure(a["wins"][0], n), share_figure(b["wins"][0], m)), format_percent)]
        cells = [format_figure(gap, make_signed_format(say), gap.differs_significantly()) for gap, say in gaps]
        section.rows.append([one.setup.name, str(one.setup.players), *cells])
        longer = gaps[0][0]
        rows.append(charts.Dot(one.setup.name, longer.mid, longer.low, longer.high, longer.differs_significantly()))
    if rows:
        section.words.append("The picture: decisions more or fewer in a match.")
        section.pictures.append(charts.draw_dots_with_intervals(rows, 0.0, make_signed_format(format_number)))
    return section


def mark_changes_section(reading: StudyResults) -> Section:
    """The marks that an option makes more or less frequent."""
    words = ["For each option, the marks that it makes significantly more or less frequent among the seats."]
    section = Section("What happens more, and less", words, ["", "what", "as printed", "with it", "change"])
    for one, base in reading.option_comparisons:
        gaps = []
        common = {name for seat in [*base.sums["marks"], *one.sums["marks"]] for name in seat}
        for name in common:
            before, after = mark_rate(base, name), mark_rate(one, name)
            gaps.append((figure_difference(before, after), name, before, after))
        gaps = sorted(
            (row for row in gaps if row[0].differs_significantly()), key=lambda row: (-abs(row[0].mid), row[1])
        )
        for gap, name, before, after in gaps[:4]:
            cells = [
                format_figure(before, format_percent),
                format_figure(after, format_percent),
                format_figure(gap, make_signed_format(format_percent), sure=True),
            ]
            section.rows.append([one.setup.name, name, *cells])
    return section


def mark_rate(one: SetupResult, name: str) -> Figure:
    """The share of the seats with a mark."""
    having = sum(seat.get(name, [0])[0] for seat in one.sums["marks"])
    return share_figure(having, one.sums["games"] * one.setup.players)


def summary_section(reading: StudyResults) -> Section:
    """The largest effects, in sentences."""
    section = Section("In short")
    words = section.words
    short, long = reading.base_game_by_players[0], reading.base_game_by_players[-1]
    ends = [
        format_figure(mean_figure(one.sums["decisions"], one.sums["games"]), format_number) for one in (short, long)
    ]
    words.append(f"{short.setup.name}: {ends[0]} decisions; {long.setup.name}: {ends[1]}.")
    uneven = [row for row in seats_section(reading).rows if row[2].startswith("**")]
    for name, seat, wins, _ in uneven:
        words.append(f"{name}: seat {seat} wins {wins.strip('*')}.")
    if not uneven:
        words.append("No seat's share of wins differs significantly from an even one.")
    half = share_figure(reading.usual_base_game.sums["ahead"], reading.usual_base_game.sums["games"])
    words.append(
        f"{reading.usual_base_game.setup.name}: who is ahead at half-time wins {format_figure(half, format_percent)}."
    )
    sure = [row for row in marks_of_winners_section(reading).rows if row[4].startswith("**")]
    for name, _, wins, others, _ in sure if len(sure) <= 5 else [*sure[:3], *sure[-2:]]:
        words.append(f"“{name}”: such seats win {wins}, others {others}.")
    for row in options_section(reading).rows:
        changed = [
            f"{what} {x.strip('*')}" for what, x in zip(options_section(reading).head[2:], row[2:]) if x[:2] == "**"
        ]
        if changed:
            words.append(f"{row[0]} ({row[1]} players): {'; '.join(changed)}.")
    return section


def list_sections(reading: StudyResults) -> list[Section]:
    """All sections of a report in order, without empty ones."""
    parts = (
        summary_section,
        match_length_section,
        seats_section,
        scores_section,
        marks_of_winners_section,
        point_sources_section,
        options_section,
        mark_changes_section,
    )
    every = [part(reading) for part in parts]
    return [section for section in every if section.rows or section.title == "In short"]


def report_title(reading: StudyResults) -> str:
    return f"A study of {game_title('en', reading.study.game)}"


def method_paragraphs(reading: StudyResults) -> list[str]:
    """The method, and the meaning of the figures."""
    study, games = reading.study, reading.usual_base_game.sums["games"]
    rules = find_game(study.game).rules_version
    total = sum(one.sums["games"] for one in reading.found)
    return [
        f"{total:,} matches of {study.game} (rules {rules}), {games:,} for each of {len(reading.found)} set-ups, every "
        f"seat played by the bot “{study.bot}”, seed {study.seed}: "
        f"`landfall study {study.game} --bot {study.bot} --games {games} --seed {study.seed}`.",
        "In brackets: the 95 % interval. Bold, in pictures coloured, is what chance brings once in a thousand figures. "
        "Every set-up is played from the same seeds, so changes are known rather better than their intervals say. "
        "People play better than bots, and differently: take this as a first impression of the game.",
    ]


def render_markdown(reading: StudyResults) -> str:
    """The report as Markdown."""
    out = [f"# {report_title(reading)}", "", *"\n\n".join(method_paragraphs(reading)).split("\n")]
    for section in list_sections(reading):
        listed = section.title == "In short"
        out += ["", f"## {section.title}", ""]
        out += [f"- {line}" if listed else f"{line}\n" for line in section.words]
        if section.rows:
            out.append("| " + " | ".join(section.head) + " |")
            out.append("|---" + "|---:" * (len(section.head) - 1) + "|")
            out += ["| " + " | ".join(row) + " |" for row in section.rows]
    return "\n".join(out) + "\n"


def render_html(reading: StudyResults) -> str:
    """The report as one HTML page with its charts."""
    name = escape(report_title(reading))
    out = [
        '<!doctype html><html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width">',
        f"<title>{name}</title><style>{PAGE_STYLE}</style></head><body><main><h1>{name}</h1>",
        *(f'<p class="how">{code_to_html(line)}</p>' for line in method_paragraphs(reading)),
    ]
    for section in list_sections(reading):
        out.append(f"<h2>{escape(section.title)}</h2>")
        listed = section.title == "In short"
        lines = [f"<li>{escape(line)}</li>" if listed else f"<p>{escape(line)}</p>" for line in section.words]
        out += ["<ul>", *lines, "</ul>"] if listed else lines
        out += ['<div class="small">' if section.small else "<div>", *section.pictures, "</div>"]
        if section.rows:
            out += ['<div class="scroll"><table><tr>', *(f"<th>{escape(name)}</th>" for name in section.head), "</tr>"]
            out += ["<tr>" + "".join(map(table_cell, row)) + "</tr>" for row in section.rows]
            out.append("</table></div>")
    return "\n".join([*out, "</main></body></html>", ""])


def table_cell(text: str) -> str:
    return f'<td class="sure">{escape(text.strip("*"))}</td>' if text.startswith("**") else f"<td>{escape(text)}</td>"


def code_to_html(text: str) -> str:
    """Text with backquoted parts as code elements."""
    pieces = escape(text, quote=False).split("`")
    return "".join(f"<code>{piece}</code>" if i % 2 else piece for i, piece in enumerate(pieces))
