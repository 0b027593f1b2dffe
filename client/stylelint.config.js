// What the linter asks of styles: a value that src/look/tokens.css names is used by its name.
import { readdirSync, readFileSync } from 'node:fs'

/** The custom properties that components set in their markup, `style="--pace: 2"` or `style:--pace={2}`. */
const setInMarkup = readdirSync(new URL('src', import.meta.url), { recursive: true })
  .filter((name) => name.endsWith('.svelte'))
  .flatMap((name) => {
    const [markup] = readFileSync(new URL(`src/${name}`, import.meta.url), 'utf8').split('<style')
    return [...markup.matchAll(/(?<!var\()(--[a-z][\w-]*)[:=}]/g)].map(([, property]) => [property, ''])
  })

/** The components that reach into what others draw. No others do. */
const reachesIntoOthers = [
  'src/games/atlandice/Board.svelte',
  'src/games/atlandice/FinalScoring.svelte',
  'src/games/atlandice/PromptPill.svelte',
  'src/games/atlandice/StocksTable.svelte',
  'src/games/atlantis/ChoiceDock.svelte',
  'src/games/survive/Board.svelte',
  'src/games/survive/BoardMarks.svelte',
  'src/games/survive/BoardPanels.svelte',
  'src/games/survive/BoardPiece.svelte',
  'src/games/survive/ChoiceDock.svelte',
  'src/games/survive/PlaceTip.svelte',
  'src/games/survive/Sea.svelte',
  'src/games/survive/dock/DefenceCard.svelte',
  'src/games/survive/dock/PiecePicker.svelte',
  'src/games/survive/dock/TileHand.svelte',
  'src/pages/Home.svelte',
  'src/pages/Leaderboard.svelte',
  'src/pages/NewTable.svelte',
  'src/pages/NewTournament.svelte',
  'src/pages/NotificationSettings.svelte',
  'src/pages/Review.svelte',
  'src/pages/Tournament.svelte',
  'src/pages/home/AppStatusLine.svelte',
  'src/pages/home/ContinueTables.svelte',
  'src/pages/home/DailyPuzzleAndWhoIsHere.svelte',
  'src/pages/lobby/WaitingPlayers.svelte',
  'src/pages/lobby/WatchableTables.svelte',
  'src/pages/pair/SearchRunning.svelte',
  'src/pages/tournament/DivisionPicker.svelte',
  'src/pages/tournament/RoundTables.svelte',
  'src/parts/BotLevelPicker.svelte',
  'src/parts/MemberNav.svelte',
  'src/parts/NavBar.svelte',
  'src/parts/PageFrame.svelte',
  'src/parts/Panel.svelte',
  'src/parts/UnfinishedTable.svelte',
  'src/table/ActionButtons.svelte',
  'src/table/AreaSlot.svelte',
  'src/table/BottomSheet.svelte',
  'src/table/ConnectionNotice.svelte',
  'src/table/EndOverlay.svelte',
  'src/table/EndScoreboard.svelte',
  'src/table/Log.svelte',
  'src/table/LogAndChat.svelte',
  'src/table/PlayerChips.svelte',
  'src/table/PlayerList.svelte',
  'src/table/RefusalNotice.svelte',
  'src/table/ReplayBar.svelte',
  'src/table/ReplayControls.svelte',
  'src/table/SideRail.svelte',
  'src/table/TableLobby.svelte',
  'src/table/TableMenu.svelte',
  'src/table/TableShell.svelte',
  'src/table/TurnBanner.svelte',
  'src/table/lobby/SeatedPlayersIsland.svelte',
  'src/table/recap/CurrentAction.svelte',
]

export default {
  plugins: ['stylelint-value-no-unknown-custom-properties'],
  reportNeedlessDisables: true,
  rules: {
    'csstools/value-no-unknown-custom-properties': [
      true,
      {
        importFrom: [
          'src/look/tokens.css',
          'src/look/symbols.css',
          'src/look/base.css',
          { customProperties: Object.fromEntries(setInMarkup) },
        ],
      },
    ],
    'color-no-hex': true,
    'function-disallowed-list': ['rgb', 'rgba', 'hsl', 'hsla'],
    'selector-pseudo-class-disallowed-list': ['global'],
    'media-feature-name-disallowed-list': ['width', 'min-width', 'max-width', 'height', 'min-height', 'max-height'],
    'declaration-property-value-allowed-list': {
      'font-size': ['/^var\\(--(t|letter)-/', '/^(clamp|min)\\(/', '/em$/', 'inherit', '0', '/^{/'],
      font: ['/em /', '/var\\(--(t|letter)-/', 'inherit'],
      '/radius$/': ['/^((var\\(--(r\\d|pill)\\)|0|50%)( |$))+/', 'inherit'],
      '/^((row|column)-)?gap$/': ['/^((var\\(--s\\d\\)|0)( |$))+/', 'inherit'],
      'z-index': ['/var\\(--layer-/', '0', '-1', 'auto'],
    },
  },
  overrides: [
    { files: ['src/**/*.svelte'], customSyntax: 'postcss-html' },
    { files: ['src/look/{tokens,symbols}.css'], rules: { 'color-no-hex': null, 'function-disallowed-list': null } },
    { files: reachesIntoOthers, rules: { 'selector-pseudo-class-disallowed-list': null } },
    { files: ['src/look/media.css'], rules: { 'media-feature-name-disallowed-list': null } },
  ],
}
