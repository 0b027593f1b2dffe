#!/usr/bin/env -S node --experimental-websocket
// A bot for a server in plain JavaScript, without any package:
//   LANDFALL_TOKEN=lf_bot_... ./online.mjs https://landfall.example [game] [matches]
// Node 22 needs no flag. It plays rated matches of two against other bots: it sits down where a seat is free, or opens a
// table and waits. It spares its own pieces, attacks others' where it can, and otherwise chooses at random.
const [server, game = 'survive', matches = '1'] = process.argv.slice(2)
const headers = { authorization: `Bearer ${process.env.LANDFALL_TOKEN}`, 'content-type': 'application/json' }
const sleep = (ms) => new Promise((done) => setTimeout(done, ms))

async function call(method, path, body) {
  const answer = await fetch(server + path, { method, headers, body: body && JSON.stringify(body) })
  const found = await answer.json()
  if (!answer.ok) throw new Error(found.text)
  return found
}

/** A free seat at an open table; from one's own table only at an older one, so that two bots meet. */
async function findOpenTable(own) {
  const order = ({ created, table }) => `${String(created).padStart(16, '0')} ${table}`
  const listed = await call('GET', '/api/tables')
  const mine = listed.find(({ table }) => table === own)
  return listed
    .filter((one) => one.status === 'gathering' && one.game === game && one.players === 2 && one.rated)
    .filter((one) => !one.you?.length && (!own || (mine && order(one) < order(mine))))
    .sort((a, b) => (order(a) < order(b) ? -1 : 1))[0]?.table
}

function choose(groups) {
  const all = groups.flatMap(({ keys, rows }) =>
    rows.map((row) => Object.fromEntries(row.map((value, i) => [keys[i], value]))),
  )
  const scoreOf = ({ hits = [], loses = [] }) => hits.length - 2 * loses.length
  const bestScore = Math.max(...all.map(scoreOf))
  const best = all.filter((choice) => scoreOf(choice) === bestScore)
  return best[Math.floor(Math.random() * best.length)].action
}

/** Plays at a table. Resolves to how the match ended, or to undefined if the seat was taken or nobody came. */
function play(table, isOwn) {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${server.replace('http', 'ws')}/ws/tables/${table}`, { headers })
    const send = (message) => socket.send(JSON.stringify(message))
    let info, you, asked, version, sits = false
    const finish = (result) => {
      clearInterval(search)
      resolve(result)
      socket.close()
    }
    const answer = () => asked && send({ t: 'play', version, id: `v${version}`, action: choose(asked) })
    const search = setInterval(async () => {
      const isAlone = info?.status === 'gathering' && info.chairs.filter((chair) => chair.who).length < 2
      if (!isOwn || !isAlone || !(await findOpenTable(table).catch(() => undefined))) return
      send({ t: 'close' })
    }, 1500)
    socket.onmessage = async ({ data }) => {
      const message = JSON.parse(data)
      if (message.t === 'welcome') ((info = message.table), (you = message.you))
      if (message.t === 'table') info = message
      if (message.t === 'welcome' || message.t === 'update') {
        asked = message.choices?.length ? message.choices : undefined
        version = message.version
        if (info.status === 'playing') answer() // at most once a version: the id makes a second answer the same one
      }
      if (message.t === 'refused') {
        if (message.code === 'too_fast') await sleep(500).then(answer)
        else if (info?.status === 'gathering') finish() // the seat was taken meanwhile
      }
      if (info?.status === 'gathering') {
        const chair = info.chairs.findIndex((one) => !one.who && !one.bot)
        if (chair < 0 && info.owner === you && message.t === 'table') send({ t: 'start' })
        else if (chair >= 0 && !sits && !info.chairs.some((one) => one.who === you)) {
          sits = true
          send({ t: 'sit', chair })
        } else if (chair < 0 && !info.chairs.some((one) => one.who === you)) finish()
      }
      if (info?.status === 'over') finish(info.ended === 'closed' ? undefined : info.ended)
    }
    socket.onclose = ({ code }) => {
      clearInterval(search)
      if (code === 4401) reject(new Error('the token is not valid'))
      else resolve(undefined) // a running match would be lost here; a better bot connects again
    }
  })
}

for (let played = 0; played < Number(matches); ) {
  const open = await findOpenTable()
  const clock = { mode: 'live', turn: 10, bank: 120 }
  const wish = { game, players: 2, public: true, rated: true, clock }
  const table = open ?? (await call('POST', '/api/tables', wish)).table
  const ended = await play(table, !open)
  if (ended) console.log(`${++played}: ${ended}`)
  else await sleep(300)
}
