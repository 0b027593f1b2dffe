// What self-play needs of matches of one table: lists of choices, feature rows after them, and the next decision.
// The legal actions of a match, in a row of `most` numbers; of more, a uniform sample in their order.
FUNCTION i32 list_choices_of(Work *work, Position *position, Rng *rng, i32 most, i64 *row) {
    ActionList *moves = &work->MOVES;
    i32 kept = 0, left;
    moves->count = 0;
    run_fill_legal(work, position, moves);
    left = moves->count;
    for (i32 i = 0; i < moves->count; i++, left--) {
        if (moves->count <= most || RANDBELOW(work, rng, left) < most - kept) row[kept++] = moves->items[i];
    }
    return kept;
}

// The feature row after an action, or before any (-1), as the choosing seat knows the position.
FUNCTION void encode_choice(Work *work, const Position *position, i64 action, i64 *words) {
    Position after = *position;
    i64 seats[1] = {-1};
    RowBuffer row;
    i32 seat = position->actor;
    if (action >= 0) run_apply(work, &after, (i32)action);
    for (i32 i = 0; i < FEATURE_WORDS; i++) words[i] = 0;
    row.size = FEATURE_WORDS;
    row.used = 0;
    row.words = words;
    row.seats = seats;
    entry_write_features(work, &after, seat, &row);
}

// An action, then chance; a match that is over leaves its result, by seat: the winners' shares, then points in tens.
FUNCTION i32 play_choice(Work *work, Position *position, Rng *rng, i64 action, const Position *start, float *result) {
    i64 scores[MAX_PLAYERS];
    i32 winners = 0;
    run_apply(work, position, (i32)action);
    resolve_chance(work, position, rng);
    if (position->actor != OVER) return 0;
    run_scores(work, position, scores);
    for (i32 seat = 0; seat < TABLE(players); seat++) {
        i32 first = 1;
        for (i32 other = 0; other < TABLE(players); other++) first &= !is_ahead(work, position, scores, other, seat);
        result[seat] = (float)first;
        result[FEATURE_SEATS + seat] = (float)scores[seat] / 10.0f;
        winners += first;
    }
    for (i32 seat = 0; seat < TABLE(players); seat++) result[seat] /= (float)winners;
    copy_position(position, start);
    resolve_chance(work, position, rng);
    return 1;
}

// The arrays of one batch; every match has an entry.
typedef struct Play {
    const Table *table;
    const Position *start;
    Position *positions;
    i64 *words;     // of each match's generator
    i64 *actor;
    i64 *in_setup;
    i64 *ended;
    float *result;
} Play;

FUNCTION void show_play(Play *play, Work *work, i64 i) {
    play->actor[i] = play->positions[i].actor;
#ifdef HAS_IS_SETUP
    play->in_setup[i] = entry_is_setup(work, &play->positions[i]);
#else
    play->in_setup[i] = 0;
#endif
}

FUNCTION void begin_play(Play *play, Work *work, i64 i) {
    Rng rng;
    rng.word = play->words[i];
    copy_position(&play->positions[i], play->start);
    resolve_chance(work, &play->positions[i], &rng);
    play->words[i] = rng.word;
    show_play(play, work, i);
}

FUNCTION void list_play(Play *play, Work *work, i64 i, i64 most, i64 *actions, i64 *counts) {
    Rng rng;
    rng.word = play->words[i];
    counts[i] = list_choices_of(work, &play->positions[i], &rng, (i32)most, actions + i * most);
    play->words[i] = rng.word;
}

FUNCTION void advance_play(Play *play, Work *work, i64 i, const i64 *chosen) {
    Rng rng;
    rng.word = play->words[i];
    play->ended[i] = play_choice(work, &play->positions[i], &rng, chosen[i], play->start, play->result + i * 2 * FEATURE_SEATS);
    play->words[i] = rng.word;
    show_play(play, work, i);
}

#ifdef __CUDACC__
KERNEL begin_plays(Work *works, Play *play, i64 matches) {
    WORK(play->table);
    EACH(i, matches) begin_play(play, work, i);
}
KERNEL list_plays(Work *works, Play *play, i64 matches, i64 most, i64 *actions, i64 *counts) {
    WORK(play->table);
    EACH(i, matches) list_play(play, work, i, most, actions, counts);
}
KERNEL encode_plays(Work *works, Play *play, i64 rows, const i64 *match, const i64 *action, i64 *words) {
    WORK(play->table);
    EACH(i, rows) encode_choice(work, &play->positions[match[i]], action[i], words + i * FEATURE_WORDS);
}
KERNEL advance_plays(Work *works, Play *play, i64 matches, const i64 *chosen) {
    WORK(play->table);
    EACH(i, matches) advance_play(play, work, i, chosen);
}
#else
#ifdef __cplusplus
extern "C" {
#endif
void begin_plays(Play *play, Work *work, i64 matches) {
    work->table = play->table;
    for (i64 i = 0; i < matches; i++) begin_play(play, work, i);
}
void list_plays(Play *play, Work *work, i64 matches, i64 most, i64 *actions, i64 *counts) {
    work->table = play->table;
    for (i64 i = 0; i < matches; i++) list_play(play, work, i, most, actions, counts);
}
void encode_plays(Play *play, Work *work, i64 rows, const i64 *match, const i64 *action, i64 *words) {
    work->table = play->table;
    for (i64 i = 0; i < rows; i++) encode_choice(work, &play->positions[match[i]], action[i], words + i * FEATURE_WORDS);
}
void advance_plays(Play *play, Work *work, i64 matches, const i64 *chosen) {
    work->table = play->table;
    for (i64 i = 0; i < matches; i++) advance_play(play, work, i, chosen);
}
#ifdef __cplusplus
}
#endif
#endif
