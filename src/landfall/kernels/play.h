// Plays and steps matches with a game's entries: the same code on a processor and on a GPU.
#define CHANCE (-1)
#define OVER (-2)
#define HASH_SEED 1469598103934665603ULL
#define HASH_PRIME 1099511628211ULL
#define MASK_WORDS ((NUM_ACTIONS + 63) / 64)
#define REWARD_UNITS 3600
enum { SAME_STEP, NEXT_STEP, DISABLED };
enum { ACTIONS_ONLY, EVERYTHING };

// What the kernels of a large game share: a copy in each would be too large for the cache of instructions.
SHARED_FUNCTION void run_apply(Work *work, Position *position, i32 action) { entry_apply(work, position, action); }
SHARED_FUNCTION i32 run_sample_chance(Work *work, Position *position, Rng *rng) {
    return (i32)entry_sample_chance(work, position, rng);
}
SHARED_FUNCTION i32 run_random_action(Work *work, Position *position, Rng *rng) {
    return (i32)entry_random_action(work, position, rng);
}
#ifdef HAS_WRITE_OBSERVATION
SHARED_FUNCTION void run_fill_legal(Work *work, Position *position, ActionList *moves) {
    entry_fill_legal(work, position, moves);
}
SHARED_FUNCTION void run_write_observation(Work *work, Position *position, i32 seat, RowBuffer *row) {
    entry_write_observation(work, position, seat, row);
}
SHARED_FUNCTION void run_scores(Work *work, Position *position, i64 *scores) { entry_scores(work, position, scores); }
#endif

FUNCTION u64 mix(u64 hash, i64 number) { return (hash ^ (u64)number) * HASH_PRIME; }

FUNCTION void resolve_chance(Work *work, Position *position, Rng *rng) {
    while (position->actor == CHANCE) run_apply(work, position, run_sample_chance(work, position, rng));
}

#ifdef HAS_WRITE_FEATURES
// What a net is given: the position as a seat knows it.
FUNCTION void write_feature_row(Work *work, Position *position, i32 seat, i64 *words) {
    i64 seats[1] = {-1};
    RowBuffer row;
    row.size = FEATURE_WORDS;
    row.used = 0;
    row.words = words;
    row.seats = seats;
    entry_write_features(work, position, seat, &row);
}
#endif

#ifdef HAS_WRITE_OBSERVATION
// What a seat is shown and may do, in a hash: legal actions in order, the observation, the key of the turn.
FUNCTION u64 mix_views(u64 hash, Work *work, Position *position, RowBuffer *row) {
    ActionList *moves = &work->MOVES;
    moves->count = 0;
    run_fill_legal(work, position, moves);
    for (i32 i = 0; i < moves->count; i++) hash = mix(hash, moves->items[i]);
    row->used = 0;
    run_write_observation(work, position, position->actor, row);
    row->seats[0] = position->actor;
    for (i64 i = 0; i < row->size; i++) hash = mix(hash, row->words[i]);
    hash = mix(hash, entry_turn_key(work, position));
#ifdef HAS_EVALUATE
    hash = mix(hash, entry_evaluate(work, position, position->actor));
#endif
#ifdef HAS_WRITE_FEATURES
    i64 features[FEATURE_WORDS], saved[SAVED_PIECES + 1];
    write_feature_row(work, position, position->actor, features);
    for (i32 i = 0; i < FEATURE_WORDS; i++) hash = mix(hash, features[i]);
    entry_saved_pieces(work, position, position->actor, saved);
    for (i32 i = 0; i < SAVED_PIECES; i++) hash = mix(hash, saved[i]);
    hash = mix(hash, entry_is_setup(work, position));
#endif
    return hash;
}

FUNCTION u64 mix_result(u64 hash, Work *work, Position *position) {
    i64 scores[MAX_PLAYERS];
    run_scores(work, position, scores);
    for (i32 seat = 0; seat < TABLE(players); seat++) {
        hash = mix(hash, scores[seat]);
#ifdef HAS_TIE_BREAK_KEY
        for (i32 nth = 1; nth <= 2; nth++) hash = mix(hash, entry_tie_break_key(work, position, seat, nth));
#endif
    }
    return hash;
}
#endif

// A match of random actions: the hash of every action and outcome, and of all that is shown if that is asked for.
FUNCTION u64 play_match(Work *work, Position *position, Rng *rng, i64 *decisions, i32 what, i64 *words) {
    u64 hash = HASH_SEED;
    i64 count = 0;
#ifdef HAS_WRITE_OBSERVATION
    i64 seats[1] = {-1};
    RowBuffer row;
    row.size = OBSERVATION_WORDS;
    row.words = words;
    row.seats = seats;
#endif
    while (position->actor != OVER) {
        i32 action;
        if (position->actor == CHANCE) {
            action = run_sample_chance(work, position, rng);
        } else {
#ifdef HAS_WRITE_OBSERVATION
            if (what == EVERYTHING) hash = mix_views(hash, work, position, &row);
#endif
            action = run_random_action(work, position, rng);
            count++;
        }
        hash = mix(hash, action);
        run_apply(work, position, action);
    }
#ifdef HAS_WRITE_OBSERVATION
    if (what == EVERYTHING) hash = mix_result(hash, work, position);
#endif
    *decisions += count;
    return hash;
}

#ifdef HAS_WRITE_OBSERVATION
// A batch of matches of one table: the arrays that a learner sees, an entry for each match.
typedef struct Batch {
    const Table *table;
    const Position *start;
    Position *positions;
    i64 *words;         // of each match's generator
    i64 *observation;   // rows of the seats that act
    i64 *final;         // the last row of a match that ended in this step
    i64 *seats;         // whose observation a row holds; -1: none
    u64 *mask;          // a bit for each legal action
    i16 *legal;         // the legal actions, padded
    i64 *choices;       // how many they are
    i64 *actor;
    i64 *ended;         // 1 where this step ended a match
    i64 *reward;        // of ended matches, by seat, in REWARD_UNITS
    i64 *earned;        // the part of the seat that acted
    i64 *length;        // decisions so far
    i64 *ends;          // on a GPU: how many matches a step leaves to be ended or restarted, then which
    i64 autoreset;
    i64 legal_width;    // room for a match's legal actions; 0: they are not listed
} Batch;

FUNCTION void start_match(Batch *batch, Work *work, i64 i) {
    Rng rng;
    copy_position(&batch->positions[i], batch->start);
    rng.word = batch->words[i];
    resolve_chance(work, &batch->positions[i], &rng);
    batch->words[i] = rng.word;
    batch->length[i] = 0;
    batch->seats[i] = -1;
}

FUNCTION void clear_result(Batch *batch, Work *work, i64 i) {
    batch->ended[i] = 0;
    batch->earned[i] = 0;
    for (i32 seat = 0; seat < TABLE(players); seat++) batch->reward[i * TABLE(players) + seat] = 0;
}

FUNCTION i32 is_ahead(Work *work, Position *position, const i64 *scores, i32 seat, i32 other) {
    if (scores[seat] != scores[other]) return scores[seat] > scores[other];
#ifdef HAS_TIE_BREAK_KEY
    for (i32 nth = 1; nth <= 2; nth++) {
        i64 a = entry_tie_break_key(work, position, seat, nth), b = entry_tie_break_key(work, position, other, nth);
        if (a != b) return a > b;
    }
#endif
    return 0;
}

// First place earns 1, shared on a tie; the others lose equal parts of it.
FUNCTION void assign_rewards(Batch *batch, Work *work, i64 i) {
    Position *position = &batch->positions[i];
    i64 scores[MAX_PLAYERS], players = TABLE(players), winners = 0;
    i64 *reward = batch->reward + i * players;
    run_scores(work, position, scores);
    for (i32 seat = 0; seat < players; seat++) {
        i32 first = 1;
        for (i32 other = 0; other < players; other++) first &= !is_ahead(work, position, scores, other, seat);
        reward[seat] = first;
        winners += first;
    }
    for (i32 seat = 0; seat < players; seat++) {
        if (reward[seat]) reward[seat] = REWARD_UNITS * (players - winners) / (winners * (players - 1));
        else reward[seat] = -(REWARD_UNITS / (players - 1));
    }
}

FUNCTION void write_row(Batch *batch, Work *work, i64 i, i64 seat, i64 *rows, i64 *seats) {
    RowBuffer row;
    row.size = OBSERVATION_WORDS;
    row.used = i;
    row.words = rows;
    row.seats = seats;
    run_write_observation(work, &batch->positions[i], (i32)seat, &row);
}

// One decision of a match, then chance. Returns whether the match is over or waits for its restart.
FUNCTION i32 play_action(Batch *batch, Work *work, Position *position, i64 i, i64 action) {
    Rng rng;
    if (batch->choices[i] == 0) return 1;
    rng.word = batch->words[i];
    run_apply(work, position, (i32)action);
    resolve_chance(work, position, &rng);
    batch->words[i] = rng.word;
    batch->length[i]++;
    if (batch->ended[i]) clear_result(batch, work, i);
    return position->actor == OVER;
}

FUNCTION void renew_match(Batch *batch, Work *work, i64 i) {
    if (batch->ended[i]) clear_result(batch, work, i);
    start_match(batch, work, i);
}

// The end of a match, or its restart a step later.
FUNCTION void end_match(Batch *batch, Work *work, i64 i) {
    if (batch->choices[i] == 0) {
        renew_match(batch, work, i);
        return;
    }
    batch->ended[i] = 1;
    assign_rewards(batch, work, i);
    batch->earned[i] = batch->reward[i * TABLE(players) + batch->actor[i]];
    if (batch->autoreset == SAME_STEP) {
        i64 none[1] = {-1};
        if (batch->final) write_row(batch, work, i, batch->actor[i], batch->final, none - i);
        start_match(batch, work, i);
    }
}

FUNCTION void show_match(Batch *batch, Work *work, i64 i) {
    Position *position = &batch->positions[i];
    if (position->actor >= 0) batch->actor[i] = position->actor;
    write_row(batch, work, i, batch->actor[i], batch->observation, batch->seats);
    batch->seats[i] = batch->actor[i];
}

// A random action of a match that waits for one, from a stream of numbers for each match; else 0.
FUNCTION void choose_action(Batch *batch, Work *work, i64 i, i64 *words, i64 *actions) {
    actions[i] = 0;
    if (batch->positions[i].actor >= 0) {
        Rng rng;
        rng.word = words[i];
        actions[i] = run_random_action(work, &batch->positions[i], &rng);
        words[i] = rng.word;
    }
}

// The legal actions as bits, all zero before, and as a list if there is room for one.
FUNCTION void list_match(Batch *batch, Work *work, i64 i) {
    ActionList *moves = &work->MOVES;
    u64 *mask = batch->mask + i * MASK_WORDS;
    moves->count = 0;
    if (batch->positions[i].actor >= 0) run_fill_legal(work, &batch->positions[i], moves);
    for (i32 j = 0; j < moves->count; j++) mask[moves->items[j] >> 6] |= 1ULL << (moves->items[j] & 63);
    for (i32 j = 0; j < moves->count && j < batch->legal_width; j++) batch->legal[i * batch->legal_width + j] = (i16)moves->items[j];
    batch->choices[i] = moves->count;
}
#endif

#if defined(__CUDACC__) || defined(ONE_THREAD)
#ifdef ONE_THREAD  // what a GPU launches, as functions of a single thread: for tests of the launches without a GPU
#define THREAD 0
#define EACH(i, matches) for (i64 i = 0; i < (matches); i++)
#define KERNEL void
#define atomicAdd(at, more) ((*(at) += (more)) - (more))
#else
#define THREAD ((i64)blockIdx.x * blockDim.x + threadIdx.x)
#define EACH(i, matches) for (i64 i = THREAD; i < (matches); i += (i64)gridDim.x * blockDim.x)
#define KERNEL extern "C" __global__ void
#endif
#ifdef LARGE_GAME  // a workspace of its own for every thread that runs at once, else one in local memory
#define WORK(given) Work *work = &works[THREAD]; work->table = given
#else
#define WORK(given) Work own, *work = &own; begin_work(work); work->table = given
#endif

KERNEL read_sizes(i64 *sizes) {
    sizes[0] = sizeof(Work);
    sizes[1] = sizeof(Position);
    sizes[2] = sizeof(Table);
}

// Once, before any other kernel is given these workspaces.
KERNEL begin_works(Work *works, i64 number) {
    EACH(i, number) begin_work(&works[i]);
}

KERNEL play_matches(Work *works, const Table *table, const Position *start, const i64 *words, i64 matches, u64 *hashes, i64 *decisions, i32 what, i64 *rows) {
    WORK(table);
    EACH(i, matches) {
        Position position;
        Rng rng;
        i64 count = 0;
        copy_position(&position, start);
        rng.word = words[i];
        hashes[i] = play_match(work, &position, &rng, &count, what, rows + THREAD * OBSERVATION_WORDS);
        decisions[i] = count;
    }
}

#ifdef HAS_WRITE_OBSERVATION
KERNEL begin_matches(Work *works, Batch *batch, i64 matches) {
    WORK(batch->table);
    EACH(i, matches) start_match(batch, work, i);
}

KERNEL restart_matches(Work *works, Batch *batch, i64 number, const i64 *which) {
    WORK(batch->table);
    EACH(k, number) renew_match(batch, work, which[k]);
}

KERNEL choose_actions(Work *works, Batch *batch, i64 matches, i64 *words, i64 *actions) {
    WORK(batch->table);
    EACH(i, matches) choose_action(batch, work, i, words, actions);
}

KERNEL advance_matches(Work *works, Batch *batch, i64 matches, const i64 *actions) {
    WORK(batch->table);
    EACH(i, matches) {
        i32 left = play_action(batch, work, &batch->positions[i], i, actions[i]);
        if (left) batch->ends[atomicAdd((u64 *)batch->ends, 1) + 1] = i;
    }
}

// The matches that the step before left over, side by side: a set-up in a few lanes would hold up all the others.
KERNEL end_matches(Work *works, Batch *batch) {
    WORK(batch->table);
    EACH(k, batch->ends[0]) end_match(batch, work, batch->ends[k + 1]);
}

KERNEL show_matches(Work *works, Batch *batch, i64 matches) {
    WORK(batch->table);
    EACH(i, matches) show_match(batch, work, i);
}

KERNEL list_matches(Work *works, Batch *batch, i64 matches) {
    WORK(batch->table);
    EACH(i, matches) list_match(batch, work, i);
}
#endif
#else
#ifdef __cplusplus
extern "C" {
#endif
i64 work_size(void) { return sizeof(Work); }
i64 position_size(void) { return sizeof(Position); }
i64 table_size(void) { return sizeof(Table); }
void start_work(Work *work) { begin_work(work); }

// Plays a match for each generator. Returns the number of decisions.
i64 play_matches(Work *work, const Table *table, const Position *start, const i64 *words, i64 matches, u64 *hashes, i32 what, i64 *row) {
    i64 decisions = 0;
    work->table = table;
    for (i64 i = 0; i < matches; i++) {
        Position position;
        Rng rng;
        copy_position(&position, start);
        rng.word = words[i];
        hashes[i] = play_match(work, &position, &rng, &decisions, what, row);
    }
    return decisions;
}

#ifdef HAS_WRITE_OBSERVATION
void begin_matches(Batch *batch, Work *work, i64 first, i64 end) {
    work->table = batch->table;
    for (i64 i = first; i < end; i++) start_match(batch, work, i);
}

void step_matches(Batch *batch, Work *work, i64 first, i64 end, const i64 *actions) {
    work->table = batch->table;
    for (i64 i = first; i < end; i++) {
        if (actions && play_action(batch, work, &batch->positions[i], i, actions[i])) end_match(batch, work, i);
        show_match(batch, work, i);
        for (i32 w = 0; w < MASK_WORDS; w++) batch->mask[i * MASK_WORDS + w] = 0;
        list_match(batch, work, i);
    }
}

void choose_actions(Batch *batch, Work *work, i64 first, i64 end, i64 *actions) {
    work->table = batch->table;
    for (i64 i = first; i < end; i++) choose_action(batch, work, i, batch->words, actions);
}

void restart_match(Batch *batch, Work *work, i64 i) {
    work->table = batch->table;
    renew_match(batch, work, i);
}

// The legal actions of all matches, one after the other.
void copy_legal_actions(Batch *batch, i64 matches, i64 *to) {
    for (i64 i = 0; i < matches; i++) {
        for (i64 j = 0; j < batch->choices[i]; j++) *to++ = batch->legal[i * batch->legal_width + j];
    }
}

// The first match whose action is illegal; -1 if there is none. A match that is over takes any action in NEXT_STEP.
i64 find_illegal_action(Batch *batch, i64 matches, const i64 *actions) {
    for (i64 i = 0; i < matches; i++) {
        i64 action = actions[i];
        if (batch->choices[i] == 0) {
            if (batch->autoreset != NEXT_STEP) return i;
        } else if (action < 0 || action >= NUM_ACTIONS || !(batch->mask[i * MASK_WORDS + (action >> 6)] >> (action & 63) & 1)) {
            return i;
        }
    }
    return -1;
}

// A legal action of every match, uniformly, from one stream of numbers.
i64 draw_actions(Batch *batch, Work *work, i64 matches, i64 word, i64 *drawn) {
    Rng rng;
    rng.word = word;
    for (i64 i = 0; i < matches; i++) {
        drawn[i] = batch->choices[i] ? batch->legal[i * batch->legal_width + RANDBELOW(work, &rng, batch->choices[i])] : 0;
    }
    return rng.word;
}
#endif
#ifdef __cplusplus
}
#endif
#endif
