/* Repeats the row changes of a store that `pushpipe run --store` wrote, using only SQLite's C functions.
 *
 *     gcc -O3 -std=c11 -Wall -Wextra insert_sqlite.c -o insert_sqlite -lsqlite3
 *     insert_sqlite SOURCE.db TARGET.db RECORDS
 *
 * RECORDS is the number of records in a transaction: 4,194,304 divided by the mean length of a line, as pushpipe's first
 * transactions are 4 MiB of input; with much memory they grow to 16 MiB. Everything is read into memory first. Then the
 * measurement starts: TARGET.db, which must be new, is opened, gets the same tables, the pragmas that pushpipe sets on a small
 * machine, all changes, and is closed. The indexes are those of SOURCE.db: a store that one run filled may have none. Prints a line
 * `insert_sqlite NOTIFICATIONS TRANSACTIONS SECONDS` when the tables are equal, and fails when they are not.
 *
 * The journal has every delivery, but the rows of replaced notifications are gone. The row of the notification that
 * replaced them is inserted instead, and deleted when they were. Badges of silent messages are in no row either: an icon
 * whose number they set last gets it at the end. So a few UPDATEs of pushpipe are missing.
 */

#define _POSIX_C_SOURCE 200809L

#include <sqlite3.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A copy of a column of any type. */
typedef struct {
    int type; /* SQLITE_NULL, SQLITE_INTEGER or SQLITE_TEXT */
    int count; /* bytes of a text */
    union {
        int64_t integer;
        char *text;
    };
} Value;

/* Columns of the query below. The first twelve are those of a notification, in the order of the table. */
enum {
    ORDER, CENTER, SEQ, TARGET, CHOSEN_IDENTIFIER, TITLE, SUBTITLE, BODY, THREAD, BADGE, DELIVERED_AT, PAYLOAD,
    KIND, IDENTIFIER, REPLACED, COLUMN_COUNT
};

/* A delivery: a journal line, its notification, and the replaced one, or NULL. */
static const char changes_query[] =
    "WITH delivery AS ("
    "  SELECT *, max(id) OVER (PARTITION BY center, identifier) AS survivor,"
    "    lag(id) OVER (PARTITION BY center, identifier ORDER BY id) AS replaced FROM event)"
    "SELECT d.id, d.center, d.seq, n.target, n.chosen_identifier, n.title, n.subtitle, n.body, n.thread, n.badge, d.at,"
    "  n.payload, d.kind, d.identifier, d.replaced "
    "FROM delivery d JOIN notification n ON n.id = d.survivor ORDER BY d.id";

typedef struct {
    Value columns[COLUMN_COUNT];
} Change;

typedef struct {
    Value device, app, badge;
} Center;

typedef struct {
    Change *changes;
    size_t change_count;
    Center *centers; /* by id - 1 */
    size_t center_count;
    int64_t last_sequence;
    char **schema;
    size_t schema_count;
} Source;

/* The target's state. */
typedef struct {
    sqlite3 *database;
    sqlite3_stmt *begin, *data_version, *progress, *commit;
    sqlite3_stmt *insert_center, *update_badge;
    sqlite3_stmt *insert_notification, *delete_notification, *insert_event;
    size_t centers_done;
    Value *badges; /* by id - 1: their values in the target at the transaction's end */
    bool *is_changed; /* by id - 1: whether the badge is to be written at the transaction's end */
    int64_t *changed; /* the ids of those */
    size_t changed_count;
} Target;

static void fail(const char *what, const char *why) {
    fprintf(stderr, "insert_sqlite: %s: %s\n", what, why);
    exit(1);
}

static void check(sqlite3 *database, int code) {
    if (code != SQLITE_OK && code != SQLITE_DONE && code != SQLITE_ROW) fail("SQLite", sqlite3_errmsg(database));
}

static void *allocated(void *block) {
    if (!block) fail("memory", "there is none left");
    return block;
}

/* Grows the array for one more than `count` elements; the capacity doubles at each power of two. */
static void *with_room(void *elements, size_t count, size_t size) {
    if (count == 0 || (count & (count - 1)) == 0) return allocated(realloc(elements, (count ? 2 * count : 1) * size));
    return elements;
}

static sqlite3 *open_to_read(const char *path) {
    sqlite3 *database;
    if (sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK) fail(path, sqlite3_errmsg(database));
    return database;
}

static sqlite3_stmt *prepare(sqlite3 *database, const char *sql) {
    sqlite3_stmt *statement;
    check(database, sqlite3_prepare_v2(database, sql, -1, &statement, NULL));
    return statement;
}

/* MARK: - Reading the source */

static Value column(sqlite3_stmt *statement, int index) {
    Value value = {.type = sqlite3_column_type(statement, index)};
    if (value.type == SQLITE_INTEGER) {
        value.integer = sqlite3_column_int64(statement, index);
    } else if (value.type == SQLITE_TEXT) {
        const unsigned char *text = sqlite3_column_text(statement, index);
        value.count = sqlite3_column_bytes(statement, index);
        value.text = memcpy(allocated(malloc((size_t)value.count + 1)), text, (size_t)value.count);
    }
    return value;
}

static int64_t read_integer(sqlite3 *database, const char *sql) {
    sqlite3_stmt *statement = prepare(database, sql);
    check(database, sqlite3_step(statement));
    const int64_t value = sqlite3_column_int64(statement, 0);
    check(database, sqlite3_finalize(statement));
    return value;
}

static void read_schema(sqlite3 *database, Source *source) {
    sqlite3_stmt *statement = prepare(database, "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid");
    while (sqlite3_step(statement) == SQLITE_ROW) {
        source->schema = with_room(source->schema, source->schema_count, sizeof *source->schema);
        source->schema[source->schema_count++] = allocated(strdup((const char *)sqlite3_column_text(statement, 0)));
    }
    check(database, sqlite3_finalize(statement));
}

static void read_centers(sqlite3 *database, Source *source) {
    sqlite3_stmt *statement = prepare(database, "SELECT device, app, badge, id FROM center ORDER BY id");
    while (sqlite3_step(statement) == SQLITE_ROW) {
        source->centers = with_room(source->centers, source->center_count, sizeof *source->centers);
        Center *center = &source->centers[source->center_count++];
        *center = (Center){column(statement, 0), column(statement, 1), column(statement, 2)};
        if (sqlite3_column_int64(statement, 3) != (int64_t)source->center_count)
            fail("source", "the ids of centers have gaps");
    }
    check(database, sqlite3_finalize(statement));
}

static void read_changes(sqlite3 *database, Source *source) {
    sqlite3_stmt *statement = prepare(database, changes_query);
    while (sqlite3_step(statement) == SQLITE_ROW) {
        source->changes = with_room(source->changes, source->change_count, sizeof *source->changes);
        Change *change = &source->changes[source->change_count++];
        for (int i = 0; i < COLUMN_COUNT; ++i) change->columns[i] = column(statement, i);
    }
    check(database, sqlite3_finalize(statement));
    const int64_t journal =
        read_integer(database, "SELECT count(*) FROM event WHERE kind IN ('delivered', 'replaced')");
    if (journal != (int64_t)source->change_count || journal != read_integer(database, "SELECT count(*) FROM event"))
        fail("source", "must come from one run, without --replace-by");
}

static Source read_source(const char *path) {
    Source source = {0};
    sqlite3 *database = open_to_read(path);
    read_schema(database, &source);
    read_centers(database, &source);
    read_changes(database, &source);
    source.last_sequence = read_integer(database, "SELECT last_sequence FROM progress");
    check(database, sqlite3_close(database));
    return source;
}

/* MARK: - Writing the target */

static void bind(sqlite3_stmt *statement, int index, const Value *value) {
    if (value->type == SQLITE_INTEGER) sqlite3_bind_int64(statement, index, value->integer);
    else if (value->type == SQLITE_TEXT) sqlite3_bind_text(statement, index, value->text, value->count, SQLITE_STATIC);
    else sqlite3_bind_null(statement, index);
}

static void run(Target *target, sqlite3_stmt *statement) {
    const int code = sqlite3_step(statement);
    sqlite3_reset(statement);
    check(target->database, code);
}

static void execute(Target *target, const char *sql) {
    check(target->database, sqlite3_exec(target->database, sql, NULL, NULL, NULL));
}

static void open_target(Target *target, const char *path, const Source *source) {
    check(target->database, sqlite3_open(path, &target->database));
    execute(target, "PRAGMA foreign_keys = OFF; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 8000;"
        "PRAGMA cache_size = -16384; PRAGMA journal_mode = WAL; BEGIN");
    for (size_t i = 0; i < source->schema_count; ++i) execute(target, source->schema[i]);
    execute(target, "INSERT INTO progress VALUES (1, 0); COMMIT");

    sqlite3 *database = target->database;
    target->begin = prepare(database, "BEGIN IMMEDIATE");
    target->data_version = prepare(database, "PRAGMA data_version");
    target->progress = prepare(
        database, "INSERT INTO progress VALUES (1, ?1) ON CONFLICT (id) DO UPDATE SET last_sequence = ?1");
    target->commit = prepare(database, "COMMIT");
    target->insert_center = prepare(
        database, "INSERT INTO center (device, app) VALUES (?, ?) ON CONFLICT DO NOTHING");
    target->update_badge = prepare(database, "UPDATE center SET badge = ? WHERE id = ?");
    target->insert_notification = prepare(
        /* The last columns are an extension's changes, and since when it should be gone: none here. */
        database, "INSERT INTO notification VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL)");
    target->delete_notification = prepare(database, "DELETE FROM notification WHERE id = ?");
    target->insert_event = prepare(
        database, "INSERT INTO event (seq, at, center, kind, identifier) VALUES (?, ?, ?, ?, ?)");
}

static void close_target(Target *target) {
    sqlite3_stmt *statement;
    while ((statement = sqlite3_next_stmt(target->database, NULL))) sqlite3_finalize(statement);
    check(target->database, sqlite3_close(target->database));
}

static void add_centers(Target *target, const Source *source, size_t count) {
    for (; target->centers_done < count; ++target->centers_done) {
        const Center *center = &source->centers[target->centers_done];
        bind(target->insert_center, 1, &center->device);
        bind(target->insert_center, 2, &center->app);
        run(target, target->insert_center);
    }
}

static void set_badge(Target *target, int64_t center, const Value *badge) {
    target->badges[center - 1] = *badge;
    if (target->is_changed[center - 1]) return;
    target->is_changed[center - 1] = true;
    target->changed[target->changed_count++] = center;
}

static void write_badges(Target *target) {
    for (size_t i = 0; i < target->changed_count; ++i) {
        const int64_t center = target->changed[i];
        bind(target->update_badge, 1, &target->badges[center - 1]);
        sqlite3_bind_int64(target->update_badge, 2, center);
        run(target, target->update_badge);
        target->is_changed[center - 1] = false;
    }
    target->changed_count = 0;
}

static void apply(Target *target, const Source *source, const Change *change) {
    const Value *columns = change->columns;
    const int64_t center = columns[CENTER].integer;
    add_centers(target, source, (size_t)center);
    if (columns[BADGE].type != SQLITE_NULL) set_badge(target, center, &columns[BADGE]);
    if (columns[REPLACED].type != SQLITE_NULL) {
        bind(target->delete_notification, 1, &columns[REPLACED]);
        run(target, target->delete_notification);
    }
    for (int i = ORDER; i <= PAYLOAD; ++i) bind(target->insert_notification, i + 1, &columns[i]);
    run(target, target->insert_notification);
    static const int event_columns[] = {SEQ, DELIVERED_AT, CENTER, KIND, IDENTIFIER};
    for (int i = 0; i < 5; ++i) bind(target->insert_event, i + 1, &columns[event_columns[i]]);
    run(target, target->insert_event);
}

/* Badges that only silent messages set. */
static void add_rest(Target *target, const Source *source) {
    add_centers(target, source, source->center_count);
    for (size_t i = 0; i < source->center_count; ++i) {
        const Value *badge = &source->centers[i].badge, *other = &target->badges[i];
        if (badge->type != SQLITE_INTEGER) continue;
        if (other->type != SQLITE_INTEGER || other->integer != badge->integer) set_badge(target, (int64_t)i + 1, badge);
    }
}

/* Returns the number of transactions. */
static size_t write_changes(Target *target, const Source *source, int64_t records) {
    size_t i = 0, transactions = 0;
    do {
        const bool has_more = i < source->change_count;
        const int64_t first = has_more ? source->changes[i].columns[SEQ].integer : source->last_sequence;
        int64_t last = ((first - 1) / records + 1) * records;
        run(target, target->begin);
        run(target, target->data_version);
        for (; i < source->change_count && source->changes[i].columns[SEQ].integer <= last; ++i)
            apply(target, source, &source->changes[i]);
        if (i == source->change_count) {
            add_rest(target, source);
            last = source->last_sequence;
        }
        write_badges(target);
        sqlite3_bind_int64(target->progress, 1, last);
        run(target, target->progress);
        run(target, target->commit);
        ++transactions;
    } while (i < source->change_count);
    return transactions;
}

/* MARK: - Comparing */

static bool is_equal_row(sqlite3_stmt *left, sqlite3_stmt *right) {
    const int count = sqlite3_column_count(left);
    if (count != sqlite3_column_count(right)) return false;
    for (int i = 0; i < count; ++i) {
        if (sqlite3_column_type(left, i) != sqlite3_column_type(right, i)) return false;
        const void *a = sqlite3_column_blob(left, i), *b = sqlite3_column_blob(right, i);
        const int bytes = sqlite3_column_bytes(left, i);
        if (bytes != sqlite3_column_bytes(right, i) || (bytes > 0 && memcmp(a, b, (size_t)bytes) != 0)) return false;
    }
    return true;
}

static void compare(const char *source_path, const char *target_path) {
    static const char *const queries[] = {
        "SELECT * FROM center ORDER BY id", "SELECT * FROM notification ORDER BY id", "SELECT * FROM event ORDER BY id",
        "SELECT * FROM progress",
    };
    sqlite3 *left = open_to_read(source_path), *right = open_to_read(target_path);
    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; ++i) {
        sqlite3_stmt *a = prepare(left, queries[i]), *b = prepare(right, queries[i]);
        int code;
        do {
            code = sqlite3_step(a);
            check(left, code);
            if (code != sqlite3_step(b) || (code == SQLITE_ROW && !is_equal_row(a, b)))
                fail("the files differ", queries[i]);
        } while (code == SQLITE_ROW);
        sqlite3_finalize(a);
        sqlite3_finalize(b);
    }
    check(left, sqlite3_close(left));
    check(right, sqlite3_close(right));
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(int count, char **arguments) {
    const long records = count == 4 ? strtol(arguments[3], NULL, 10) : 0;
    if (records < 1) {
        fprintf(stderr, "usage: insert_sqlite SOURCE.db TARGET.db RECORDS\n");
        return 2;
    }
    if (access(arguments[2], F_OK) == 0) fail(arguments[2], "is there already");
    const Source source = read_source(arguments[1]);
    Target target = {
        .badges = allocated(calloc(source.center_count + 1, sizeof(Value))),
        .is_changed = allocated(calloc(source.center_count + 1, sizeof(bool))),
        .changed = allocated(calloc(source.center_count + 1, sizeof(int64_t))),
    };

    const double begin = seconds();
    open_target(&target, arguments[2], &source);
    const size_t transactions = write_changes(&target, &source, records);
    close_target(&target);
    const double elapsed = seconds() - begin;

    compare(arguments[1], arguments[2]);
    printf("insert_sqlite %zu %zu %.6f\n", source.change_count, transactions, elapsed);
    return 0; /* the system frees what was read */
}
