/* Processes the stream of `pushpipe generate` like `pushpipe run FILE`, in C11 with jansson.
 *
 *     gcc -O3 -std=c11 -Wall -Wextra collapse_jansson.c -o collapse_jansson -ljansson
 *     collapse_jansson FILE >report.ndjson
 *
 * The names in the report, and its outcomes, are those of Documentation/reference/report.md. This is a peer for a benchmark and
 * not a second implementation: it has the limits that collapse_orjson.py lists at its head. As there, an APNs payload
 * is serialized again, with json_dumps(), to be measured and stored: jansson does not give a value's position in the line.
 */

#define _POSIX_C_SOURCE 200809L

#include <jansson.h>

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { APNS_LIMIT = 4096, VOIP_LIMIT = 5120, TARGET_LIMIT = 4096, TOPIC_LIMIT = 2048 };

typedef struct {
    const char *name;
    /* Status and reason of a message over its limit. */
    int status;
    const char *reason;
} Provider;

static const Provider apns = {"apns", 413, "PayloadTooLarge"};
static const Provider gcm = {"gcm", 200, "MessageTooBig"};
static const Provider fcm = {"fcm", 400, "INVALID_ARGUMENT"};

/* Borrowed bytes; they may contain NULs. No text is {NULL, 0}. */
typedef struct {
    const char *start;
    size_t count;
} Text;

/* Why there is no message in a record. */
typedef struct {
    const char *rule;
    char message[JSON_ERROR_TEXT_LENGTH];
    size_t offset; /* in bytes from the beginning of the line */
} Malformed;

/* Texts are borrowed from the line or from the record. */
typedef struct {
    const Provider *provider;
    json_t *devices; /* borrowed: an array, or NULL when there is only `device` */
    Text device, app, identifier;
    size_t bytes, limit;
    bool is_shown;
    char *body; /* the payload, if it was serialized again: owned; NULL: it is the line */
    size_t body_count;
} Message;

static void fail(const char *what) {
    perror(what);
    exit(2);
}

static void *allocated(void *block) {
    if (!block) fail("collapse_jansson");
    return block;
}

static Text literal(const char *text) { return (Text){text, strlen(text)}; }

/* MARK: - Reading values */

/* The text of a string; {NULL, 0} for anything else, and for NULL. */
static Text text_of(const json_t *value) {
    return json_is_string(value) ? (Text){json_string_value(value), json_string_length(value)} : (Text){NULL, 0};
}

static Text text_at(const json_t *object, const char *key) { return text_of(json_object_get(object, key)); }

static bool equals(Text text, const char *other) {
    return text.count == strlen(other) && memcmp(text.start, other, text.count) == 0;
}

static bool has_any_text(const json_t *object, const char *const *keys) {
    for (; *keys; ++keys)
        if (text_at(object, *keys).count > 0) return true;
    return false;
}

static bool has_apns_alert(const json_t *payload) {
    static const char *const keys[] = {
        "body", "title", "subtitle", "loc-key", "title-loc-key", "subtitle-loc-key", NULL,
    };
    const json_t *alert = json_object_get(json_object_get(payload, "aps"), "alert");
    return json_is_object(alert) ? has_any_text(alert, keys) : text_of(alert).count > 0;
}

static bool has_android_alert(const json_t *notification) {
    static const char *const keys[] = {"body", "title", "body_loc_key", "title_loc_key", NULL};
    return has_any_text(notification, keys);
}

static bool is_shown_push_type(const json_t *headers) {
    const Text type = text_at(headers, "apns-push-type");
    return !type.start || equals(type, "alert") || equals(type, "background");
}

/* UTF-8 bytes of keys and values; a value that is not a string counts as its JSON text. */
static size_t counted_bytes(json_t *object) {
    size_t count = 0;
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value) {
        count += strlen(key);
        count += json_is_string(value) ? json_string_length(value)
                                       : json_dumpb(value, NULL, 0, JSON_COMPACT | JSON_ENCODE_ANY);
    }
    return count;
}

/* MARK: - Formats */

static bool malformed(Malformed *fault, const char *rule, const char *message) {
    *fault = (Malformed){.rule = rule};
    snprintf(fault->message, sizeof fault->message, "%s", message);
    return false;
}

static bool syntax(Malformed *fault, const json_error_t *error) {
    const bool is_utf8 = json_error_code(error) == json_error_invalid_utf8;
    malformed(fault, is_utf8 ? "json.invalid-utf8" : "json.syntax", error->text);
    fault->offset = (size_t)error->position;
    return false;
}

static void take_body(Message *message, char *body) {
    message->body = allocated(body);
    message->bytes = message->body_count = strlen(body); /* a NUL is written \u0000 */
}

static bool read_payload(const json_t *record, Message *message) {
    message->provider = &apns;
    message->device = literal("default");
    message->app = text_at(record, "Simulator Target Bundle");
    take_body(message, json_dumps(record, JSON_COMPACT));
    message->limit = APNS_LIMIT;
    message->is_shown = has_apns_alert(record);
    return true;
}

static bool read_envelope(const json_t *record, const json_t *value, Message *message, Malformed *fault) {
    json_t *nested = NULL; /* owned: of a payload in a string */
    const json_t *payload = value;
    if (json_is_string(value)) {
        json_error_t error;
        const Text text = text_of(value);
        nested = json_loadb(text.start, text.count, JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);
        if (!nested) return syntax(fault, &error);
        payload = nested;
        if (!json_is_object(payload)) {
            json_decref(nested);
            return malformed(fault, "record.payload-type", "the payload must be a JSON object");
        }
        take_body(message, strdup(json_string_value(value)));
    } else if (json_is_object(value)) {
        take_body(message, json_dumps(payload, JSON_COMPACT));
    } else {
        return malformed(
            fault, "record.payload-type", "payload must be an object, or a string with the exact body");
    }
    const json_t *headers = json_object_get(record, "headers");
    const Text device = text_at(record, "device");
    message->provider = &apns;
    message->device = device.start ? device : literal("default");
    message->app = text_at(headers, "apns-topic");
    message->limit = equals(text_at(headers, "apns-push-type"), "voip") ? VOIP_LIMIT : APNS_LIMIT;
    message->identifier = text_at(headers, "apns-collapse-id");
    message->is_shown = is_shown_push_type(headers) && has_apns_alert(payload);
    json_decref(nested);
    return true;
}

static bool read_gcm(const json_t *record, Message *message) {
    json_t *notification = json_object_get(record, "notification");
    json_t *devices = json_object_get(record, "registration_ids");
    message->limit = TARGET_LIMIT;
    if (json_array_size(devices) > 0) {
        message->devices = devices;
    } else if (json_object_get(record, "to")) {
        message->device = text_at(record, "to");
        if (message->device.count >= 8 && memcmp(message->device.start, "/topics/", 8) == 0)
            message->limit = TOPIC_LIMIT;
    } else if (json_object_get(record, "condition")) {
        message->device = text_at(record, "condition");
        message->limit = TOPIC_LIMIT;
    } else {
        message->device = text_at(record, "notification_key");
    }
    message->provider = &gcm;
    message->app = text_at(record, "restricted_package_name");
    message->bytes = counted_bytes(notification) + counted_bytes(json_object_get(record, "data"));
    message->identifier = text_at(notification, "tag");
    message->is_shown = has_android_alert(notification);
    return true;
}

/* The APNs payload that FCM would send: `payload` takes precedence over the notification, with data beside aps.
 * The caller owns it. */
static json_t *derived_payload(json_t *notification, json_t *data, json_t *payload) {
    static const char *const alert_names[][2] = {
        {"title", "title"}, {"subtitle", "subtitle"}, {"body", "body"}, {"title_loc_key", "title-loc-key"},
        {"title_loc_args", "title-loc-args"}, {"body_loc_key", "loc-key"}, {"body_loc_args", "loc-args"},
    };
    static const char *const aps_names[][2] = {{"sound", "sound"}, {"badge", "badge"}, {"click_action", "category"}};
    json_t *derived = allocated(json_object()), *aps = allocated(json_object());
    int failures = 0;
    if (data) failures |= json_object_update(derived, data);
    if (payload) failures |= json_object_update(derived, payload);
    json_t *own = json_object_get(payload, "aps");
    if (own) failures |= json_object_update(aps, own);
    if (!json_object_get(aps, "alert")) {
        json_t *alert = allocated(json_object());
        for (size_t i = 0; i < sizeof alert_names / sizeof alert_names[0]; ++i) {
            json_t *value = json_object_get(notification, alert_names[i][0]);
            if (value) failures |= json_object_set(alert, alert_names[i][1], value);
        }
        if (json_object_size(alert) > 0) failures |= json_object_set(aps, "alert", alert);
        json_decref(alert);
    }
    for (size_t i = 0; i < sizeof aps_names / sizeof aps_names[0]; ++i) {
        json_t *value = json_object_get(notification, aps_names[i][0]);
        if (value && !json_object_get(aps, aps_names[i][1])) failures |= json_object_set(aps, aps_names[i][1], value);
    }
    failures |= json_object_set_new(derived, "aps", aps);
    if (failures) fail("collapse_jansson");
    return derived;
}

static bool read_fcm(const json_t *request, Message *message) {
    json_t *notification = json_object_get(request, "notification"), *data = json_object_get(request, "data");
    json_t *block = json_object_get(request, "apns"), *android = json_object_get(request, "android");
    message->provider = &fcm;
    message->device = text_at(request, "token");
    message->limit = message->device.start ? TARGET_LIMIT : TOPIC_LIMIT;
    if (!message->device.start) message->device = text_at(request, "topic");
    if (!message->device.start) message->device = text_at(request, "condition");
    if (!message->device.start) message->device = literal("default");

    if (block && !android && !json_object_get(request, "webpush")) {
        const json_t *headers = json_object_get(block, "headers");
        json_t *payload = derived_payload(notification, data, json_object_get(block, "payload"));
        message->app = text_at(headers, "apns-topic");
        message->identifier = text_at(headers, "apns-collapse-id");
        message->is_shown = is_shown_push_type(headers) && has_apns_alert(payload);
        take_body(message, json_dumps(payload, JSON_COMPACT));
        json_decref(payload);
        return true;
    }
    json_t *android_notification = json_object_get(android, "notification");
    message->app = text_at(android, "restricted_package_name");
    message->bytes = counted_bytes(notification) + counted_bytes(data) + counted_bytes(android_notification)
        + counted_bytes(json_object_get(android, "data"));
    message->identifier = text_at(android_notification, "tag");
    if (message->identifier.count == 0) message->identifier = text_at(notification, "tag");
    message->is_shown = has_android_alert(notification) || has_android_alert(android_notification);
    return true;
}

/* Reads a record into `message`. False when there is no message in it, and `fault` says why. */
static bool read_record(const json_t *record, Message *message, Malformed *fault) {
    if (!json_is_object(record)) return malformed(fault, "record.not-an-object", "a record must be a JSON object");
    if (json_is_object(json_object_get(record, "aps"))) return read_payload(record, message);
    const json_t *payload = json_object_get(record, "payload");
    if (payload) return read_envelope(record, payload, message, fault);
    const json_t *request = json_object_get(record, "message");
    if (json_is_object(request)) return read_fcm(request, message);
    if (json_object_get(record, "to") || json_object_get(record, "registration_ids")
        || json_object_get(record, "condition") || json_object_get(record, "notification_key"))
        return read_gcm(record, message);
    return malformed(fault, "record.unknown-shape", "this object matches no known format");
}

/* MARK: - Screens */

/* Ordered by seq and target, oldest first. */
typedef struct {
    uint64_t hash, seq;
    char *payload; /* owned */
    size_t key_count;
    char key[];
} Shown;

/* Open addressing, at most half full. Nothing is removed: a notification that replaces another takes its slot. */
static Shown **table;
static size_t table_size, table_used;

static uint64_t hash_of(const char *bytes, size_t count) {
    uint64_t hash = count, word;
    for (; count >= sizeof word; bytes += sizeof word, count -= sizeof word) {
        memcpy(&word, bytes, sizeof word);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    word = 0;
    memcpy(&word, bytes, count);
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

static Shown **find_place(const char *key, size_t count, uint64_t hash) {
    size_t place = hash & (table_size - 1);
    for (; table[place]; place = (place + 1) & (table_size - 1)) {
        const Shown *other = table[place];
        if (other->hash == hash && other->key_count == count && memcmp(other->key, key, count) == 0) break;
    }
    return &table[place];
}

static void grow_table(void) {
    Shown **old = table;
    const size_t old_size = table_size;
    table_size = old_size ? 2 * old_size : 1024;
    table = allocated(calloc(table_size, sizeof *table));
    for (size_t i = 0; i < old_size; ++i)
        if (old[i]) *find_place(old[i]->key, old[i]->key_count, old[i]->hash) = old[i];
    free(old);
}

/* Stores the payload, which it steals. Returns the number of the replaced record; 0 when there was none. */
static uint64_t show(const char *key, size_t key_count, uint64_t seq, char *payload) {
    if (table_used >= table_size / 2) grow_table();
    const uint64_t hash = hash_of(key, key_count);
    Shown **place = find_place(key, key_count, hash);
    uint64_t earlier = 0;
    if (*place) {
        earlier = (*place)->seq;
        free((*place)->payload);
    } else {
        *place = allocated(malloc(sizeof **place + key_count));
        (*place)->hash = hash;
        (*place)->key_count = key_count;
        memcpy((*place)->key, key, key_count);
        ++table_used;
    }
    (*place)->seq = seq;
    (*place)->payload = payload;
    return earlier;
}

/* MARK: - Report */

static void put_text(const char *key, Text text) {
    putc_unlocked(',', stdout);
    putc_unlocked('"', stdout);
    fputs(key, stdout);
    fputs("\":\"", stdout);
    size_t clean = 0; /* bytes written so far */
    for (size_t i = 0; i < text.count; ++i) {
        const unsigned char byte = (unsigned char)text.start[i];
        if (byte >= 0x20 && byte != '"' && byte != '\\') continue;
        fwrite(text.start + clean, 1, i - clean, stdout);
        clean = i + 1;
        fprintf(stdout, byte < 0x20 ? "\\u%04x" : "\\%c", byte);
    }
    fwrite(text.start + clean, 1, text.count - clean, stdout);
    putc_unlocked('"', stdout);
}

static void put_malformed(uint64_t seq, const Malformed *fault) {
    printf("{\"seq\":%" PRIu64 ",\"outcome\":\"malformed\",\"error\":{\"rule\":\"%s\"", seq, fault->rule);
    put_text("message", literal(fault->message));
    printf(",\"offset\":%zu}}\n", fault->offset);
}

/* MARK: - Delivery */

/* A growing buffer for a key. */
static char *key_buffer;
static size_t key_capacity;

static size_t make_key(Text device, Text app, Text identifier) {
    const size_t count = device.count + app.count + identifier.count + 2;
    if (count > key_capacity) {
        key_capacity = 2 * count;
        key_buffer = allocated(realloc(key_buffer, key_capacity));
    }
    char *end = key_buffer;
    memcpy(end, device.start, device.count);
    end[device.count] = '\0';
    end += device.count + 1;
    memcpy(end, app.start ? app.start : "", app.count);
    end[app.count] = '\0';
    end += app.count + 1;
    memcpy(end, identifier.start, identifier.count);
    return count;
}

static char *payload_to_keep(Message *message, Text line) {
    char *payload = message->body;
    message->body = NULL;
    if (payload) return payload;
    return memcpy(allocated(malloc(line.count + 1)), line.start, line.count);
}

/* `target` is -1 for the only one. */
static void deliver(Message *message, Text device, uint64_t seq, int target, Text line) {
    const int status = message->bytes > message->limit ? message->provider->status : 200;
    printf("{\"seq\":%" PRIu64, seq);
    if (target >= 0) printf(",\"target\":%d", target);
    printf(",\"provider\":\"%s\"", message->provider->name);
    put_text("device", device);
    if (message->app.count > 0) put_text("topic", message->app);

    char made_up[48];
    Text identifier = message->identifier;
    uint64_t earlier = 0;
    const char *outcome = "silent", *reason = NULL;
    if (message->bytes > message->limit) {
        outcome = "rejected";
        reason = message->provider->reason;
    } else if (message->is_shown) {
        if (identifier.count == 0) {
            int count = snprintf(made_up, sizeof made_up, "push-%" PRIu64, seq);
            if (target >= 0) count += snprintf(made_up + count, sizeof made_up - (size_t)count, ".%d", target);
            identifier = (Text){made_up, (size_t)count};
        }
        const size_t key_count = make_key(device, message->app, identifier);
        earlier = show(key_buffer, key_count, seq, payload_to_keep(message, line));
        outcome = earlier ? "replaced" : "delivered";
    }
    printf(",\"outcome\":\"%s\",\"status\":%d", outcome, status);
    if (reason) printf(",\"reason\":\"%s\"", reason);
    printf(",\"bytes\":%zu,\"limit\":%zu", message->bytes, message->limit);
    if (!reason && message->is_shown) put_text("identifier", identifier);
    if (earlier) printf(",\"replaces\":%" PRIu64, earlier);
    fputs("}\n", stdout);
}

static void handle(Text line, uint64_t seq) {
    json_error_t error;
    Malformed fault;
    Message message = {0};
    json_t *record = json_loadb(line.start, line.count, JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);
    if (!record) {
        syntax(&fault, &error);
        put_malformed(seq, &fault);
    } else if (!read_record(record, &message, &fault)) {
        put_malformed(seq, &fault);
    } else if (message.devices) {
        const size_t count = json_array_size(message.devices);
        for (size_t i = 0; i < count; ++i)
            deliver(&message, text_of(json_array_get(message.devices, i)), seq, count > 1 ? (int)i : -1, line);
    } else {
        deliver(&message, message.device, seq, -1, line);
    }
    free(message.body);
    json_decref(record);
}

int main(int count, char **arguments) {
    if (count != 2) {
        fprintf(stderr, "usage: collapse_jansson FILE\n");
        return 2;
    }
    FILE *input = fopen(arguments[1], "r");
    if (!input) fail(arguments[1]);
    setvbuf(input, NULL, _IOFBF, 256 * 1024);
    setvbuf(stdout, NULL, _IOFBF, 64 * 1024);

    char *line = NULL;
    size_t capacity = 0;
    uint64_t seq = 0;
    ssize_t length;
    while ((length = getline(&line, &capacity, input)) >= 0) {
        if (line[strspn(line, " \t\r\n")] == '\0' && strlen(line) == (size_t)length) continue;
        if (line[length - 1] == '\n') --length;
        handle((Text){line, (size_t)length}, ++seq);
    }
    if (ferror(input)) fail(arguments[1]);
    free(line);
    fclose(input);
    if (fflush(stdout) != 0 || ferror(stdout)) fail("collapse_jansson: stdout");
    /* The process ends here, without freeing a million notifications first. */
    return 0;
}
