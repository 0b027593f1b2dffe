// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest'
import { settings } from './settings.svelte'
import en from '../messages/list/en.json'
import zh from '../messages/list/zh.json'
import {
  eventTextKey,
  joinNames,
  joinSentences,
  joinWords,
  splitMarkedText,
  gameText,
  gameTextPieces,
  t,
  setCatalogue,
} from './i18n.svelte'

beforeEach(() => {
  settings.language = 'en'
  setCatalogue('en', { plain: 'Hello', named: '{name} has {n, plural, one {# tile} other {# tiles}}' })
  setCatalogue('en/survive', {
    'event.sunk': '{seat:seat} removes the {terrain:term} at {at}.',
    'event.kept': '{seat:seat} keeps a tile.',
    'event.kept.known': '{seat:seat} keeps a tile: {back:term}.',
    'term.beach': 'beach',
    'term.shark': 'shark',
    'ask.who': 'Who?',
    list: '{faces:term}',
  })
})

test('arguments, forms by number, missing keys and missing arguments', () => {
  expect(t('named', { name: 'Ana', n: 1 })).toBe('Ana has 1 tile')
  expect(t('named', { name: 'Ana', n: 3 })).toBe('Ana has 3 tiles')
  expect(t('named', { n: 3 })).toBe('{name} has 3 tiles')
  expect(t('named', { name: 'Ana', n: 1234.5 })).toBe('Ana has 1,234.5 tiles')
  expect(t('nothing.there')).toBe('nothing.there')
})

test('seats are names, words are the game’s, lists have commas', () => {
  expect(gameText('survive', 'event.sunk', { seat: 1, terrain: 'beach', at: 'E4' }, ['Ana', 'Iva'])).toBe(
    'Iva removes the beach at E4.',
  )
  expect(gameText('survive', 'list', { faces: ['shark', '2'] })).toBe('shark, 2')
})

test('a word that a list of the language’s own lacks is the one of the terms', () => {
  setCatalogue('en/survive', {
    sinks: '{terrain:the} sinks.',
    'the.beach': 'The beach',
    'term.beach': 'beach',
    'term.forest': 'woods',
  })
  const said = ['beach', 'forest', 'lake'].map((terrain) => gameText('survive', 'sinks', { terrain }))
  expect(said).toStrictEqual(['The beach sinks.', 'woods sinks.', 'lake sinks.'])
})

test('names and words are strong pieces', () => {
  const strong = gameTextPieces('survive', 'event.sunk', { seat: 0, terrain: 'beach', at: 'E4' }, ['Ana']).filter(
    (piece) => piece.strong,
  )
  expect(strong.map((piece) => piece.text)).toStrictEqual(['Ana', 'beach'])
  expect(splitMarkedText('**Ana** sinks a **beach**.')).toStrictEqual([
    { text: 'Ana', strong: true },
    { text: ' sinks a ', strong: false },
    { text: 'beach', strong: true },
    { text: '.', strong: false },
  ])
})

test('an event’s private part is worded for those who received it', () => {
  expect(eventTextKey('survive', { kind: 'kept', seat: 0 })).toBe('event.kept')
  expect(eventTextKey('survive', { kind: 'kept', seat: 0, back: 'shark' })).toBe('event.kept.known')
})

test('until another language is here the old one is spoken', () => {
  expect(gameText('survive', 'ask.who')).toBe('Who?')
  expect(t('plain')).toBe('Hello')
  settings.language = 'bg'
  expect(gameText('survive', 'ask.who')).toBe('Who?')
  expect(t('plain')).toBe('Hello')
  setCatalogue('bg/survive', { 'ask.who': 'Кой?' })
  setCatalogue('bg', { plain: 'Здравей' })
  expect(gameText('survive', 'ask.who')).toBe('Кой?')
  expect(t('plain')).toBe('Здравей')
})

test('words, names and sentences are joined as each language does', () => {
  setCatalogue('en', en)
  expect(joinWords(['shark', 2])).toBe('shark, 2')
  expect(joinNames(['Ana'])).toBe('Ana')
  expect(joinNames(['Ana', 'Bo', 'Cy'])).toBe('Ana, Bo and Cy')
  expect(joinSentences(['A forest', '', 'Walk here.'])).toBe('A forest. Walk here.')
  expect(joinSentences([])).toBe('')
  settings.language = 'zh'
  setCatalogue('zh', zh)
  expect(joinWords(['鲨鱼', 2])).toBe('鲨鱼、2')
  expect(joinNames(['红方', '蓝方', '黄方'])).toBe('红方、蓝方和黄方')
  expect(joinSentences(['树林', '走到这里。'])).toBe('树林。走到这里。')
  settings.language = 'pt'
  expect(joinNames(['Ana', 'Bo', 'Cy'])).toBe('Ana, Bo e Cy')
  settings.language = 'bg'
  expect(joinNames(['Ана', 'Бо', 'Ви'])).toBe('Ана, Бо и Ви')
})
