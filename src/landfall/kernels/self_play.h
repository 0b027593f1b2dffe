// What self-play needs of matches of several tables: lists of choices, feature rows after them, and the next decision.
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
    Position after;
    copy_position(&after, position);
    if (action >= 0) run_apply(work, &after, (i32)action);
    write_feature_row(work, &after, position->actor, words);
}

// The result of a match, by seat: the winners' shares, then points in tens.
FUNCTION void write_result(Work *work, Position *position, float *result) {
    i64 scores[MAX_PLAYERS];
    i32 winners = 0;
    run_scores(work, position, scores);
    for (i32 seat = 0; seat < TABLE(players); seat++) {
        i32 first = 1;
        for (i32 other = 0; other < TABLE(players); other++) first &= !is_ahead(work, position, scores, other, seat);
        result[seat] = (float)first;
        result[FEATURE_SEATS + seat] = (float)scores[seat] / 10.0f;
        winners += first;
    }
    for (i32 seat = 0; seat < TABLE(players); seat++) result[seat] /= (float)winners;
}

// The arrays of one batch; every match has an entry.
typedef struct Play {
    const Table *tables;
    const Position *starts;  // of each table
    const i64 *table;        // of each match
    Position *positions;
    i64 *words;     // of each match's generator
    i64 *actor;
    i64 *in_setup;
    i64 *ended;
    float *result;
    u8 *saved;      // by match and viewing seat: the pieces that are saved, in the order of its rows
} Play;

FUNCTION void show_play(Play *play, Work *work, i64 i) {
    play->actor[i] = play->positions[i].actor;
    play->in_setup[i] = entry_is_setup(work, &play->positions[i]);
}

FUNCTION void start_play(Play *play, Work *work, i64 i, Rng *rng) {
    copy_position(&play->positions[i], &play->starts[play->table[i]]);
    resolve_chance(work, &play->positions[i], rng);
}

FUNCTION void begin_play(Play *play, Work *work, i64 i) {
    Rng rng;
    rng.word = play->words[i];
    start_play(play, work, i, &rng);
    play->words[i] = rng.word;
    show_play(play, work, i);
}

FUNCTION void list_play(Play *play, Work *work, i64 i, i64 most, i64 *actions, i64 *counts) {
    Rng rng;
    rng.word = play->words[i];
    counts[i] = list_choices_of(work, &play->positions[i], &rng, (i32)most, actions + i * most);
    play->words[i] = rng.word;
}

// An action, then chance. What is saved is recorded for every seat; a match that is over leaves its result, too.
FUNCTION void advance_play(Play *play, Work *work, i64 i, const i64 *chosen) {
    Position *position = &play->positions[i];
    i64 saved[SAVED_PIECES + 1];
    Rng rng;
    rng.word = play->words[i];
    run_apply(work, position, (i32)chosen[i]);
    resolve_chance(work, position, &rng);
    for (i32 seat = 0; SAVED_PIECES > 0 && seat < TABLE(players); seat++) {
        entry_saved_pieces(work, position, seat, saved);
        for (i64 j = 0; j < SAVED_PIECES; j++) play->saved[(i * FEATURE_SEATS + seat) * SAVED_PIECES + j] = (u8)saved[j];
    }
    play->ended[i] = position->actor == OVER;
    if (play->ended[i]) {
        write_result(work, position, play->result + i * 2 * FEATURE_SEATS);
        start_play(play, work, i, &rng);
    }
    play->words[i] = rng.word;
    show_play(play, work, i);
}

#define SEATED(i) work->table = &play->tables[play->table[i]]
#ifdef __CUDACC__
KERNEL begin_plays(Work *works, Play *play, i64 matches) {
    WORK(play->tables);
    EACH(i, matches) { SEATED(i); begin_play(play, work, i); }
}
KERNEL list_plays(Work *works, Play *play, i64 matches, i64 most, i64 *actions, i64 *counts) {
    WORK(play->tables);
    EACH(i, matches) { SEATED(i); list_play(play, work, i, most, actions, counts); }
}
KERNEL encode_plays(Work *works, Play *play, i64 rows, const i64 *match, const i64 *action, i64 *words) {
    WORK(play->tables);
    EACH(i, rows) { SEATED(match[i]); encode_choice(work, &play->positions[match[i]], action[i], words + i * FEATURE_WORDS); }
}
KERNEL advance_plays(Work *works, Play *play, i64 matches, const i64 *chosen) {
    WORK(play->tables);
    EACH(i, matches) { SEATED(i); advance_play(play, work, i, chosen); }
}
#else
#ifdef __cplusplus
extern "C" {
#endif
void begin_plays(Play *play, Work *work, i64 matches) {
    for (i64 i = 0; i < matches; i++) { SEATED(i); begin_play(play, work, i); }
}
void list_plays(Play *play, Work *work, i64 matches, i64 most, i64 *actions, i64 *counts) {
    for (i64 i = 0; i < matches; i++) { SEATED(i); list_play(play, work, i, most, actions, counts); }
}
void encode_plays(Play *play, Work *work, i64 rows, const i64 *match, const i64 *action, i64 *words) {
    for (i64 i = 0; i < rows; i++) { SEATED(match[i]); encode_choice(work, &play->positions[match[i]], action[i], words + i * FEATURE_WORDS); }
}
void advance_plays(Play *play, Work *work, i64 matches, const i64 *chosen) {
    for (i64 i = 0; i < matches; i++) { SEATED(i); advance_play(play, work, i, chosen); }
}
#ifdef __cplusplus
}
#endif
#endif
