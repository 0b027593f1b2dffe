"""A study as something to read: one HTML file with its pictures in it, and the same tables as Markdown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape
from typing import Final

from landfall.games import game as find_game
from landfall.lab import chart
from landfall.lab.marks import notes
from landfall.lab.sim import interval
from landfall.lab.speed import usual_players
from landfall.lab.study import Figure, Found, Study, added, change, mean

RARE: Final = 30  # seats or others that a mark must have to be told of
STYLE: Final = """
body { font: 16px/1.5 system-ui, sans-serif; color: #1b2a33; background: #f4f1ea; margin: 0 }
main { max-width: 960px; margin: 0 auto; padding: 24px 16px 64px; background: #fff }
h1 { margin: 0 0 4px } h2 { margin: 40px 0 8px; border-bottom: 2px solid #27a } h3 { margin: 24px 0 4px }
.scroll { overflow-x: auto } table { border-collapse: collapse; font-size: 14px; margin: 8px 0 }
th, td { padding: 4px 10px; border-bottom: 1px solid #ddd; text-align: right; white-space: nowrap }
th:first-child, td:first-child { text-align: left } td.sure { font-weight: 700 }
svg { width: 100%; height: auto; max-width: 900px } .small { display: grid; gap: 8px;
grid-template-columns: repeat(auto-fit, minmax(280px, 1fr)) } .how { color: #55636b; font-size: 14px }
""".strip()
Say = Callable[[float], str]


@dataclass
class Section:
    """A heading, sentences, a table with its sure cells marked by `**`, pictures."""

    title: str
    words: list[str] = field(default_factory=list)
    head: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    pictures: list[str] = field(default_factory=list)
    small: bool = False


def number(x: float) -> str:
    return f"{x:,.0f}" if abs(x) >= 100 else f"{x:,.1f}" if abs(x) >= 10 else f"{x:,.2f}"


def percent(x: float) -> str:
    return f"{100 * x:.1f} %"


def signed(say: Say) -> Say:
    return lambda x: f"+{say(x)}" if x > 0 else say(x)


def cell(figure: Figure, say: Say, sure: bool = False) -> str:
    """A figure with its interval."""
    text = f"{say(figure.mid)} ({say(figure.low).removesuffix(' %')} – {say(figure.high).removesuffix(' %')})"
    return f"**{text}**" if sure else text


def share(won: float, n: float) -> Figure:
    """A share with Wilson's interval."""
    low, high = interval(won / n if n else 0.0, round(n))
    return Figure(won / n if n else 0.0, low, high)


@dataclass(frozen=True)
class Reading:
    """What a study found, and what is asked of it."""

    study: Study
    found: list[Found]

    @property
    def rounds(self) -> str:
        """What a round of this game is called."""
        return notes(self.study.game).round[1]

    @property
    def printed(self) -> list[Found]:
        """The game as printed, by players."""
        return [one for one in self.found if not one.setup.options]

    @property
    def usual(self) -> Found:
        """The game as printed, with as many players as usual."""
        count = usual_players(tuple(one.setup.players for one in self.printed))
        return next(one for one in self.printed if one.setup.players == count)

    @property
    def varied(self) -> list[tuple[Found, Found]]:
        """Each option, beside the game as printed with as many players."""
        base = {one.setup.players: one for one in self.printed}
        return [(one, base[one.setup.players]) for one in self.found if one.setup.options]


def length(reading: Reading) -> Section:
    """How long a match is, and what there is to choose."""
    head = ["", "matches", "decisions", reading.rounds, "choices a decision", "only one choice"]
    section = Section("How long it is", head=head)
    for one in reading.printed:
        s, n = one.sums, one.sums["games"]
        figures = [(s["decisions"], number), (s["rounds"], number), (s["choices"], number), (s["forced"], percent)]
        section.rows.append([one.setup.name, f"{n:,}", *(cell(mean(sums, n), say) for sums, say in figures)])
    return section


def seats(reading: Reading) -> Section:
    """Whether it matters where one sits."""
    words = [
        "Seat 1 begins. All seats are played by the same bot, so that a seat that wins more than its part, told from "
        "chance, has an advantage (green) or a handicap (red) by its place alone; the broken line is an even share."
    ]
    section = Section("Does it matter where one sits?", words, ["", "seat", "wins", "points"])
    for one in reading.printed:
        s, n, players = one.sums, one.sums["games"], one.setup.players
        rows = []
        for seat in range(players):
            won, points = share(s["wins"][seat], n), mean(s["by_seat"][seat], n)
            sure = won.differs(1 / players)
            rows.append(chart.Dot(f"{players} players, seat {seat + 1}", won.mid, won.low, won.high, sure))
            section.rows.append([one.setup.name, str(seat + 1), cell(won, percent, sure), cell(points, number)])
        section.pictures.append(chart.dots(rows, 1 / players, percent))
    return section


def scores(reading: Reading) -> Section:
    """How points are spread, and how close it is."""
    words = ["Ahead at half-time: how often who would win if the match ended after half of its decisions wins it."]
    head = ["", "points a seat", "the winner's", "lead over the second", "shared wins", "ahead at half-time, wins"]
    section = Section("Points", words, head, small=True)
    for one in reading.printed:
        s, n = one.sums, one.sums["games"]
        figures = [cell(mean(s[name], n), number) for name in ("points", "winning", "margin")]
        section.rows.append(
            [one.setup.name, *figures, cell(share(s["shared"], n), percent), cell(share(s["ahead"], n), percent)]
        )
        section.pictures.append(chart.bars({int(k): v for k, v in s["spread"].items()}, one.setup.name))
    return section


def decides(reading: Reading) -> Section:
    """What winners have that others have not."""
    one = reading.usual
    players, n = one.setup.players, one.sums["games"]
    words = [
        f"With {players} players: of the seats that did this or to whom it happened, how many won, beside an even "
        f"share of {percent(1 / players)}. What goes with winning need not be its cause: who plays longer does "
        f"more of everything. Told is what at least {RARE} seats have and {RARE} have not; the rest is too rare."
    ]
    section = Section("What decides", words, ["", "seats", "they win", "others win", "difference"])
    together: dict[str, list[float]] = {}
    for seat in one.sums["marks"]:
        together = added(together, seat)
    told = []
    for name, (having, won) in together.items():
        others = n * players - having
        if having >= RARE and others >= RARE:
            with_it, without = share(won, having), share(n - won, others)
            told.append((change(without, with_it), name, having, with_it, without))
    told.sort(key=lambda row: -row[0].mid)
    for gap, name, having, with_it, without in told:
        often = percent(having / (n * players))
        cells = [cell(with_it, percent), cell(without, percent), cell(gap, signed(percent), gap.differs())]
        section.rows.append([name, often, *cells])
    rows = [chart.Dot(name, w.mid, w.low, w.high, gap.differs()) for gap, name, _, w, _ in told]
    section.pictures.append(chart.dots(rows, 1 / players, percent))
    return section


def sources(reading: Reading) -> Section:
    """Where points come from, for winners and others."""
    one = reading.usual
    players, n = one.setup.players, one.sums["games"]
    title = "Where the points come from"
    section = Section(title, [f"With {players} players, points a seat."], ["", "winners", "others", "difference"])
    together: dict[str, list[float]] = {}
    for seat in one.sums["parts"]:
        together = added(together, seat)
    winners = one.sums["winners"]
    rows = []
    for name, (a, aa, b, bb) in sorted(together.items()):
        won, rest = mean([a, aa], winners), mean([b, bb], n * players - winners)
        gap = change(rest, won)
        section.rows.append([name, cell(won, number), cell(rest, number), cell(gap, signed(number), gap.differs())])
        rows.append(chart.Dot(name, gap.mid, gap.low, gap.high, gap.differs()))
    if rows:
        section.pictures.append(chart.dots(rows, 0.0, signed(number)))
    return section


MEASURES: Final[list[tuple[str, str, Say]]] = [
    ("decisions", "decisions", number),
    ("rounds", "", number),
    ("choices", "choices a decision", number),
    ("points", "points a seat", number),
    ("margin", "lead", number),
]


def options(reading: Reading) -> Section:
    """What each option changes."""
    words = [
        "Each by itself (with those it needs), beside the game as printed with as many players: the change, bold where "
        "it is told from chance."
    ]
    head = ["", "players", *(name or reading.rounds for _, name, _ in MEASURES), "ahead at half-time", "seat 1 wins"]
    section = Section("What options change", words, head)
    rows = []
    for one, base in reading.varied:
        a, b, n, m = base.sums, one.sums, base.sums["games"], one.sums["games"]
        gaps = [(change(mean(a[what], n), mean(b[what], m)), say) for what, _, say in MEASURES]
        gaps += [(change(share(a["ahead"], n), share(b["ahead"], m)), percent)]
        gaps += [(change(share(a["wins"][0], n), share(b["wins"][0], m)), percent)]
        cells = [cell(gap, signed(say), gap.differs()) for gap, say in gaps]
        section.rows.append([one.setup.name, str(one.setup.players), *cells])
        longer = gaps[0][0]
        rows.append(chart.Dot(one.setup.name, longer.mid, longer.low, longer.high, longer.differs()))
    if rows:
        section.words.append("The picture: decisions more or fewer in a match.")
        section.pictures.append(chart.dots(rows, 0.0, signed(number)))
    return section


def shifts(reading: Reading) -> Section:
    """Which marks an option makes commoner or rarer."""
    words = ["For each option the marks that it makes most commoner and rarer among the seats, where told from chance."]
    section = Section("What happens more, and less", words, ["", "what", "as printed", "with it", "change"])
    for one, base in reading.varied:
        gaps = []
        common = {name for seat in [*base.sums["marks"], *one.sums["marks"]] for name in seat}
        for name in common:
            before, after = often(base, name), often(one, name)
            gaps.append((change(before, after), name, before, after))
        gaps = sorted((row for row in gaps if row[0].differs()), key=lambda row: (-abs(row[0].mid), row[1]))
        for gap, name, before, after in gaps[:4]:
            cells = [cell(before, percent), cell(after, percent), cell(gap, signed(percent), sure=True)]
            section.rows.append([one.setup.name, name, *cells])
    return section


def often(one: Found, name: str) -> Figure:
    """How many of the seats have a mark."""
    having = sum(seat.get(name, [0])[0] for seat in one.sums["marks"])
    return share(having, one.sums["games"] * one.setup.players)


def standing_out(reading: Reading) -> Section:
    """The largest of what was found, in sentences."""
    section = Section("In short")
    words = section.words
    short, long = reading.printed[0], reading.printed[-1]
    ends = [cell(mean(one.sums["decisions"], one.sums["games"]), number) for one in (short, long)]
    words.append(f"{short.setup.name}: {ends[0]} decisions; {long.setup.name}: {ends[1]}.")
    uneven = [row for row in seats(reading).rows if row[2].startswith("**")]
    for name, seat, wins, _ in uneven:
        words.append(f"{name}: seat {seat} wins {wins.strip('*')}.")
    if not uneven:
        words.append("No seat's share of wins could be told from an even one.")
    half = share(reading.usual.sums["ahead"], reading.usual.sums["games"])
    words.append(f"{reading.usual.setup.name}: who is ahead at half-time wins {cell(half, percent)}.")
    sure = [row for row in decides(reading).rows if row[4].startswith("**")]
    for name, _, wins, others, _ in sure if len(sure) <= 5 else [*sure[:3], *sure[-2:]]:
        words.append(f"“{name}”: such seats win {wins}, others {others}.")
    for row in options(reading).rows:
        changed = [f"{what} {x.strip('*')}" for what, x in zip(options(reading).head[2:], row[2:]) if x[:2] == "**"]
        if changed:
            words.append(f"{row[0]} ({row[1]} players): {'; '.join(changed)}.")
    return section


def sections(reading: Reading) -> list[Section]:
    """All of a report, in order; what a game has none of is left out."""
    parts = (standing_out, length, seats, scores, decides, sources, options, shifts)
    every = [part(reading) for part in parts]
    return [section for section in every if section.rows or section.title == "In short"]


def title(reading: Reading) -> str:
    return f"A study of {reading.study.game.capitalize()}"


def how(reading: Reading) -> list[str]:
    """What was done, and what the figures mean."""
    study, games = reading.study, reading.usual.sums["games"]
    rules = find_game(study.game).rules_version
    total = sum(one.sums["games"] for one in reading.found)
    return [
        f"{total:,} matches of {study.game} (rules {rules}), {games:,} for each of {len(reading.found)} set-ups, every "
        f"seat played by the bot “{study.bot}”, seed {study.seed}: "
        f"`landfall study {study.game} --bot {study.bot} --games {games} --seed {study.seed}`.",
        "In brackets: the 95 % interval. Bold, in pictures coloured, is what chance brings once in a thousand figures. "
        "Every set-up is played from the same seeds, so changes are known rather better than their intervals say. "
        "People play better and otherwise than bots: take it for a first look at the game, not for the last.",
    ]


def markdown(reading: Reading) -> str:
    """The report as Markdown."""
    out = [f"# {title(reading)}", "", *"\n\n".join(how(reading)).split("\n")]
    for section in sections(reading):
        listed = section.title == "In short"
        out += ["", f"## {section.title}", ""]
        out += [f"- {line}" if listed else f"{line}\n" for line in section.words]
        if section.rows:
            out.append("| " + " | ".join(section.head) + " |")
            out.append("|---" + "|---:" * (len(section.head) - 1) + "|")
            out += ["| " + " | ".join(row) + " |" for row in section.rows]
    return "\n".join(out) + "\n"


def html(reading: Reading) -> str:
    """The report as one page, its pictures in it."""
    name = escape(title(reading))
    out = [
        '<!doctype html><html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width">',
        f"<title>{name}</title><style>{STYLE}</style></head><body><main><h1>{name}</h1>",
        *(f'<p class="how">{coded(line)}</p>' for line in how(reading)),
    ]
    for section in sections(reading):
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


def coded(text: str) -> str:
    """Text with what stands between backquotes as code."""
    pieces = escape(text, quote=False).split("`")
    return "".join(f"<code>{piece}</code>" if i % 2 else piece for i, piece in enumerate(pieces))
