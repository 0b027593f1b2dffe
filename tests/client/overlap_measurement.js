// What lies over what, what is cut off, what is too small to be touched: one look at the page as it is drawn now.
// Gives a list of [kind, what, by what, how far]; names are without the numbers that differ from build to build.
// A page that scrolls (`paged`) is looked at as a whole, with its navigation, and is asked again further down: what is
// on top can only be told of what is in sight. What stays while the rest scrolls may cover the rest until its end.
({ touch, paged = false }) => {
  const SLACK = 2 // px: borders that touch, letters that lean out
  const TOUCH = 44
  const LONG = 14 // letters of a word that may be broken: only people's names have more
  const CONTROL = 'button, a[href], input, select, textarea, summary, [role=button], [role=tab], [role=slider]'
  const MARKED = '.cells [data-choice], .hit.mine, .hit[data-choice], [data-spot].may' // before boards said what is lit
  const LIT = document.querySelector('[data-lit]') ? '[data-lit]' : MARKED
  const KEPT = '[data-clock], .die, .dice:not(svg *), [data-card], [data-zoomed=false] [data-space^="@"]' // nothing may cover these
  const FRAME = '.strip, .rail, .column, .side, .sheet, .foot' // what always stands around the board
  const seen = []
  const add = (kind, what, by, px) => seen.push([kind, what, by, Math.round(px)])

  // --- boxes
  const wide = innerWidth
  const high = innerHeight
  const boxOf = (r) => ({ l: r.left, t: r.top, r: r.right, b: r.bottom })
  const meet = (a, b) => ({ l: Math.max(a.l, b.l), t: Math.max(a.t, b.t), r: Math.min(a.r, b.r), b: Math.min(a.b, b.b) })
  const least = (box) => Math.min(box.r - box.l, box.b - box.t)
  const beyond = (inner, outer) => Math.max(outer.l - inner.l, outer.t - inner.t, inner.r - outer.r, inner.b - outer.b)
  const VIEW = { l: 0, t: 0, r: wide, b: high }
  const { scrollHeight, scrollWidth } = document.documentElement
  const WINDOW = paged ? { l: 0, t: -scrollY, r: wide, b: scrollHeight - scrollY } : VIEW
  const ended = !paged || scrollY + high >= scrollHeight - 1
  if (paged && scrollWidth > wide) add('wider', 'page', 'window', scrollWidth - wide)
  const inSight = ({ l, t, r, b }) => !paged || ((l + r) / 2 > 0 && (l + r) / 2 < wide && (t + b) / 2 > 0 && (t + b) / 2 < high)

  /** Asked once of each: the page does not change while it is looked at. */
  const once = (ask) => {
    const known = new Map()
    return (one) => {
      let answer = known.get(one)
      if (answer === undefined) known.set(one, (answer = ask(one)))
      return answer
    }
  }
  const style = once((one) => getComputedStyle(one))
  const rect = once((one) => boxOf(one.getBoundingClientRect()))
  const board = once((one) => !!one.closest('.stage, [data-stage]') && !one.closest('[data-area]') && !panelIn(one))
  // A board's own part that lies over the board: a card, a button, a map in a corner.
  const panelIn = (one) => one.closest('.stage .card, .stage button:not([data-space]), .stage .zoom, .stage .corner, .stage .dice, .stage .tip')

  /** How an element is called here: its marks, not its words, so that four languages are one. */
  const called = (one) => {
    const data = ['area', 'testid', 'lit', 'card', 'clock'].find((key) => one.dataset?.[key] !== undefined)
    const own = [...one.classList].filter((name) => !/^svelte-|^[pk]-|^gap-|^(across|stack|middle|fine|fresh|steady|hint|hinted|own|may|on|mine|idle|tight|near|more|still|off)$/.test(name)).join('.')
    const said = data ? `[${data}${['area', 'testid'].includes(data) ? `=${one.dataset[data].split('-')[0]}` : ''}]` : ''
    return `${one.localName}${own ? `.${own}` : ''}${said}`
  }
  const path = (one) => {
    const up = one.parentElement?.closest('[data-area], [data-testid], [class]')
    return up && up.closest('.table, main, body') && !up.matches('.table') ? `${called(up)} ${called(one)}` : called(one)
  }

  /** What something belongs to that lies over something else: its card, its slot, its button. */
  const owner = (one) => one.closest('.card, .banner, .dice, .sinks, .btn, .rp, [data-area]') ?? one

  /** What cuts off the children of an element, innermost first: each with the room it leaves. */
  const cutters = (up, fixed) => {
    if (!up || up === document.documentElement) return []
    return (fixed ? cuttersOfFixed : cuttersOfOthers)(up)
  }
  const cuttersOf = (up, fixed) => {
    const s = style(up)
    if (fixed && s.transform === 'none' && s.contain === 'none') return cutters(up.parentElement, true)
    const outer = cutters(up.parentElement, s.position === 'fixed')
    if (s.overflowX === 'visible' && s.overflowY === 'visible') return outer
    const r = rect(up)
    const room = {
      l: s.overflowX === 'visible' ? -1e6 : r.l,
      r: s.overflowX === 'visible' ? 1e6 : r.r,
      t: s.overflowY === 'visible' ? -1e6 : r.t,
      b: s.overflowY === 'visible' ? 1e6 : r.b,
    }
    const scrolls = /auto|scroll/.test(s.overflowX + s.overflowY)
    return [{ up, room, scrolls, tall: scrolls && up.scrollHeight > up.clientHeight + 1 }, ...outer]
  }
  const cuttersOfFixed = once((up) => cuttersOf(up, true))
  const cuttersOfOthers = once((up) => cuttersOf(up, false))
  /** What is left of a box when all that cut it off have; and whether one of them can be scrolled to show the rest. */
  const cut = (one, box) => {
    let left = box
    let scrolls = false
    let hidden = null
    for (const by of cutters(one.parentElement, style(one).position === 'fixed')) {
      if (beyond(left, by.room) <= SLACK) continue
      // what is scrolled up and down is not looked for at its sides
      const aside = by.tall && Math.max(by.room.l - left.l, left.r - by.room.r) > SLACK
      if (by.scrolls && !aside) scrolls = true
      else if (!scrolls) hidden ??= by.up
      left = meet(left, by.room)
    }
    return { left, scrolls, hidden }
  }
  /** Whether it or what it is in cannot be seen through; the page as a whole may be, to be looked at without paint. */
  const faded = once((one) => one !== document.documentElement && (style(one).opacity === '0' || faded(one.parentElement ?? document.documentElement)))
  const visible = once((one) => {
    if (!one.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }) || faded(one)) return false
    if (one.closest('[inert], .vh, [aria-hidden=true].gone')) return false
    return least(rect(one)) > 3
  })
  const painted = (one) => {
    const s = style(one)
    const alpha = s.backgroundColor.startsWith('rgba') ? Number(s.backgroundColor.split(',')[3].slice(0, -1)) : 1
    return alpha > 0.4 || s.backgroundImage !== 'none' || (s.boxShadow !== 'none' && !s.boxShadow.includes('inset'))
  }

  /** Whether it stays where it is while the page scrolls on under it. */
  const stays = once((one) => /fixed|sticky/.test(style(one).position) || (one.parentElement !== null && stays(one.parentElement)))
  const passes = (one) => !ended && stays(one)

  // --- what there is
  const zoomed = document.querySelector('[data-zoomed=true]') !== null // of a part of a board the rest is not cut off
  const root = document.querySelector('dialog[open], [role=dialog], .veil') ?? (paged ? document.body : (document.querySelector('.table, main') ?? document.body))
  // of drawings only what may be chosen or must be seen: they have thousands of parts
  const parts = [root, ...root.querySelectorAll(`:not(svg, svg *), ${LIT}, ${KEPT}`)]
  const all = parts.filter((one) => !one.closest('defs, symbol') && visible(one))
  const things = []
  for (const one of all) {
    const lit = one.matches(LIT)
    const kept = one.matches(KEPT)
    const control = one.matches(CONTROL)
    const html = one instanceof HTMLElement
    const off = one.disabled || one.getAttribute('aria-disabled') === 'true'
    const panel = html && !board(one) && painted(one) && !(one.offsetWidth > wide * 0.9 && one.offsetHeight > high * 0.9)
    if (!lit && !kept && !control && !panel) continue
    const whole = rect(one)
    things.push({ one, lit, kept, control, panel, off, whole, onBoard: board(one), ...cut(one, whole) })
  }

  // --- texts: where they are drawn, line by line
  const texts = []
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const holder = node.parentElement
    if (!node.data.trim() || !visible(holder) || holder.closest('title, option, script, style')) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const lines = [...range.getClientRects()].filter((r) => r.width > 1 && r.height > 1).map(boxOf)
    if (lines.length) texts.push({ node, holder, lines, cuts: lines.map((line) => cut(holder, line)) })
  }

  // 1. What may be chosen, and what must be seen, is there: on top, inside the window, large enough.
  const offstage = []
  for (const thing of things) {
    const { one, lit, control, off, left, whole, scrolls, hidden, onBoard } = thing
    if ((!lit && !control) || off) continue
    const out = beyond(whole, WINDOW) > SLACK && least(meet(whole, WINDOW)) < least(whole) / 2
    if (lit && onBoard && (out || least(left) < least(whole) / 2)) offstage.push(thing)
    else if (!onBoard && hidden && !scrolls) add('cut', path(one), path(hidden), beyond(whole, left))
    else if (out && !scrolls) add('outside', path(one), 'window', beyond(whole, WINDOW))
    else if (least(left) > 3 && inSight(left)) {
      const x = Math.min(wide - 1, Math.max(0, (left.l + left.r) / 2))
      const y = Math.min(high - 1, Math.max(0, (left.t + left.b) / 2))
      const top = document.elementFromPoint(x, y)
      const reached = top && (one.contains(top) || top.contains(one) || top.closest('label')?.contains(one) || (onBoard && board(top)))
      if (!reached && lit && onBoard && top?.closest(FRAME)) offstage.push(thing)
      else if (!reached && !(top && passes(top))) add('covered', path(one), top ? path(owner(top)) : 'nothing', least(left))
    }
    const inline = control && style(one).display === 'inline'
    if (touch && !inline && !one.matches('input.vh, .vh *')) {
      const w = whole.r - whole.l
      const h = whole.b - whole.t
      if (Math.min(w, h) < TOUCH - 0.5 && !(onBoard && one.closest('[data-magnifies]'))) add('small', path(one), `under ${TOUCH}`, Math.min(w, h))
    }
  }
  // A board shows what lies outside by a pointer at its edge, or is scrolled.
  if (offstage.length && !document.querySelector('[data-edge], .pointer')) {
    for (const { one, whole } of offstage) add('offstage', path(one), 'no pointer', beyond(whole, WINDOW))
  }

  // 2. No two things lie over each other, unless one holds the other. Of nested ones only the outermost are told.
  const holds = (a, b) => a.contains(b) || b.contains(a)
  const middle = ({ l, t, r, b }) => [(l + r) / 2, (t + b) / 2]
  /** Dice that lie together, corner over corner, so that the pips of both are seen. */
  const together = (a, b) => {
    const row = a.kept && b.kept && a.one.closest('.dice')
    if (!row || row !== b.one.closest('.dice')) return false
    const [[x, y], [toX, toY]] = [middle(a.whole), middle(b.whole)]
    return Math.hypot(x - toX, y - toY) >= 0.75 * Math.min(least(a.whole), least(b.whole))
  }
  const flat = things.filter((thing) => least(thing.left) > SLACK && !passes(thing.one))
  const told = []
  const known = (one, other) => told.some(([x, y]) => (x.contains(one) && y.contains(other)) || (x.contains(other) && y.contains(one)))
  for (const [i, a] of flat.entries()) {
    for (const b of flat.slice(i + 1)) {
      const over = least(meet(meet(a.left, b.left), WINDOW))
      if (over <= SLACK) continue
      if (a.onBoard && b.onBoard && !(a.control && b.control)) continue // marks and pieces of one board
      if (holds(a.one, b.one) || together(a, b)) continue
      if ((a.onBoard && !b.panel && !b.control) || (b.onBoard && !a.panel && !a.control)) continue
      if (zoomed && (a.onBoard || b.onBoard) && (a.onBoard ? b : a).one.closest(FRAME)) continue // told as offstage
      if (known(a.one, b.one)) continue
      if (!a.onBoard && !b.onBoard && a.one.closest('button') && a.one.closest('button') === b.one.closest('button')) continue // one picture
      told.push([a.one, b.one])
      const [under, above] = a.onBoard ? [a, b] : [b, a]
      add(a.onBoard || b.onBoard ? 'over' : 'overlap', path(under.one), path(above.one), over)
    }
  }

  /** Whether it stays in sight while the rest is scrolled under it. */
  const sticks = (one) => [one, one.parentElement, one.parentElement?.parentElement].some((it) => it && style(it).position === 'sticky')
  // 3. Texts are whole: inside what holds them, inside the window, not under something else, not broken in a word.
  for (const { node, holder, lines, cuts } of texts) {
    const html = holder instanceof HTMLElement
    for (const [i, line] of lines.entries()) {
      const { left, scrolls, hidden } = cuts[i]
      const s = style(holder)
      const own = html && s.overflowX !== 'visible' && !/auto|scroll/.test(s.overflowX + s.overflowY) && beyond(line, rect(holder)) > SLACK
      if (own) add('clipped', path(holder), s.textOverflow === 'ellipsis' ? 'dots' : 'itself', beyond(line, rect(holder)))
      else if (hidden && !scrolls && !(zoomed && board(holder))) add('clipped', path(holder), path(hidden), beyond(line, left))
      else if (!scrolls && !board(holder) && beyond(line, WINDOW) > SLACK) add('clipped', path(holder), 'window', beyond(line, WINDOW))
      if (own || hidden || scrolls) break
    }
    const within = html && style(holder).overflowX + style(holder).overflowY // a text that cuts or scrolls itself
    const paper = html && within === 'visiblevisible' && !sticks(holder) && holder.closest('.card, .btn, [data-area], .banner, .plq')
    if (paper && !board(paper)) {
      const shown = lines.filter((_, i) => !cuts[i].scrolls)
      const spill = Math.max(...shown.map((line) => beyond(line, rect(paper))))
      if (spill > SLACK) add('spills', path(holder), path(paper), spill)
    }
    if (html && lines.length > 1 && !/[\u2e80-\uffef]/.test(node.data)) {
      for (const found of node.data.matchAll(/[\p{L}\p{N}]{2,}/gu)) {
        if (found[0].length > LONG) continue
        const range = document.createRange()
        range.setStart(node, found.index)
        range.setEnd(node, found.index + found[0].length)
        const tops = new Set([...range.getClientRects()].filter((r) => r.width > 0).map((r) => Math.round(r.top / 4)))
        if (tops.size > 1) add('broken', path(holder), 'word', tops.size)
      }
    }
  }
  /** Whether one lies above the other where both are; unless the page cannot say. */
  const above = (one, other, { l, t, r, b }) => {
    const there = document.elementsFromPoint((l + r) / 2, (t + b) / 2)
    const [x, y] = [one, other].map((it) => there.findIndex((found) => found === it))
    return x < 0 || y < 0 || x < y
  }
  // Texts over texts and under panels, where neither holds the other.
  const hull = (boxes) => boxes.reduce((x, y) => ({ l: Math.min(x.l, y.l), t: Math.min(x.t, y.t), r: Math.max(x.r, y.r), b: Math.max(x.b, y.b) }))
  const words = texts
    .filter(({ holder }) => !board(holder) && !passes(holder))
    .map(({ holder, cuts }) => ({ holder, box: cuts.map(({ left }) => left), around: hull(cuts.map(({ left }) => left)) }))
  const cover = flat.filter((thing) => thing.panel)
  for (const [i, a] of words.entries()) {
    for (const b of words.slice(i + 1)) {
      if (least(meet(a.around, b.around)) <= SLACK + 2) continue
      const over = Math.max(...a.box.flatMap((x) => b.box.map((y) => least(meet(x, y)))))
      if (over <= SLACK + 2 || holds(a.holder, b.holder) || sticks(a.holder) || sticks(b.holder) || known(a.holder, b.holder)) continue
      add('text over text', path(a.holder), path(b.holder), over)
    }
    for (const { one, left } of cover) {
      if (least(meet(a.around, left)) <= SLACK + 2) continue
      const shared = a.box.map((x) => meet(x, left)).reduce((x, y) => (least(y) > least(x) ? y : x))
      const over = least(shared)
      if (over <= SLACK + 2 || !inSight(shared) || holds(one, a.holder) || known(a.holder, one) || !above(one, a.holder, shared)) continue
      told.push([a.holder, one])
      add('text under', path(a.holder), path(one), over)
    }
  }
  const best = new Map()
  for (const found of seen) {
    const key = found.slice(0, 3).join('|')
    if (!best.has(key) || best.get(key)[3] < found[3]) best.set(key, found)
  }
  return [...best.values()]
}
