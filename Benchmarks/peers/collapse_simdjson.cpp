// Processes the stream of `pushpipe generate` like `pushpipe run FILE`, in C++17 with simdjson's DOM.
//
//     g++ -O3 -std=c++17 -Wall -Wextra collapse_simdjson.cpp -o collapse_simdjson -lsimdjson
//     collapse_simdjson FILE >report.ndjson
//
// The names in the report, and its outcomes, are those of Documentation/reference/report.md. This is a peer for a benchmark and
// not a second implementation: it has the limits that collapse_orjson.py lists at its head.
//
// An APNs payload is serialized again with to_string(), to be measured and stored. The DOM does not give an element's
// position in the line, so its bytes cannot be sliced. simdjson's On-Demand front end could, and parses only requested
// values; that would be another program.

#include <simdjson.h>

#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <unistd.h>
#include <unordered_map>
#include <utility>
#include <vector>

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;
using std::string;
using std::string_view;

namespace {

constexpr size_t apns_limit = 4096;
constexpr size_t voip_limit = 5120;
constexpr size_t target_limit = 4096;
constexpr size_t topic_limit = 2048;

struct Provider {
    string_view name;
    // Status and reason of a message over its limit.
    uint64_t status;
    string_view reason;
};

constexpr Provider apns{"apns", 413, "PayloadTooLarge"};
constexpr Provider gcm{"gcm", 200, "MessageTooBig"};
constexpr Provider fcm{"fcm", 400, "INVALID_ARGUMENT"};

// Why there is no message in a record.
struct Malformed {
    string_view rule;
    string_view message;
};

// Texts are borrowed from the line or from the parser, and valid until the next line is read.
struct Message {
    const Provider *provider;
    std::vector<string_view> devices;
    string_view app;
    size_t bytes;
    size_t limit;
    string_view identifier; // empty: one is generated
    bool is_shown;
    string body; // the payload, if it was serialized again
    string_view line; // the payload, if not
};

// MARK: - Reading elements

// Of an element, or of the result of a look-up.
template <typename Found> string_view text_or(const Found &found, string_view otherwise) {
    string_view text;
    return found.get(text) ? otherwise : text;
}

// An object without members. An element that was never parsed must not be accessed.
const object &no_members() {
    static simdjson::dom::parser parser;
    static const object none = parser.parse("{}", 2).get_object().value_unsafe();
    return none;
}

// The object of that name; an empty one when there is none.
object object_at(const object &members, string_view name) {
    object found;
    return members[name].get(found) ? no_members() : found;
}

bool has(const object &members, string_view name) { return members[name].error() == simdjson::SUCCESS; }

bool has_any_text(const object &members, std::initializer_list<string_view> names) {
    for (string_view name : names)
        if (!text_or(members[name], "").empty()) return true;
    return false;
}

bool has_apns_alert(const object &payload) {
    const auto alert = object_at(payload, "aps")["alert"];
    object parts;
    if (alert.get(parts)) return !text_or(alert, "").empty();
    return has_any_text(parts, {"body", "title", "subtitle", "loc-key", "title-loc-key", "subtitle-loc-key"});
}

bool has_android_alert(const object &notification) {
    return has_any_text(notification, {"body", "title", "body_loc_key", "title_loc_key"});
}

bool is_shown_push_type(const object &headers) {
    const string_view type = text_or(headers["apns-push-type"], "alert");
    return type == "alert" || type == "background";
}

// UTF-8 bytes of keys and values; a value that is not a string counts as its JSON text.
size_t counted_bytes(const object &members) {
    size_t count = 0;
    for (auto [key, value] : members) {
        string_view text;
        count += key.size() + (value.get(text) ? simdjson::to_string(value).size() : text.size());
    }
    return count;
}

// MARK: - Writing JSON

void append_string(string &out, string_view text) {
    static const char digits[] = "0123456789abcdef";
    out += '"';
    size_t clean = 0; // bytes written so far
    for (size_t i = 0; i < text.size(); ++i) {
        const unsigned char byte = text[i];
        if (byte >= 0x20 && byte != '"' && byte != '\\') continue;
        out.append(text, clean, i - clean);
        clean = i + 1;
        if (byte == '"' || byte == '\\') {
            out += '\\';
            out += byte;
        } else {
            out += "\\u00";
            out += digits[byte >> 4];
            out += digits[byte & 15];
        }
    }
    out.append(text, clean, string_view::npos);
    out += '"';
}

void append_number(string &out, uint64_t number) {
    char digits[20];
    out.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

// A member, with the comma before it unless it is the first.
void append_key(string &out, string_view key) {
    if (out.back() != '{') out += ',';
    append_string(out, key);
    out += ':';
}

void append_member(string &out, string_view key, const element &value) {
    append_key(out, key);
    out += simdjson::to_string(value);
}

// The report, written in pieces of some 64 KiB.
class Report {
public:
    void begin(uint64_t seq) {
        buffer += '{';
        number("seq", seq);
    }
    void end() {
        buffer += "}\n";
        if (buffer.size() >= 64 * 1024) flush();
    }
    // Keys are the program's own and need no escape.
    void number(const char *key, uint64_t value) {
        name(key);
        append_number(buffer, value);
    }
    void text(const char *key, string_view value) {
        name(key);
        append_string(buffer, value);
    }
    void malformed(uint64_t seq, const Malformed &fault) {
        begin(seq);
        buffer += ",\"outcome\":\"malformed\",\"error\":{";
        text("rule", fault.rule);
        text("message", fault.message);
        number("offset", 0); // which simdjson does not report
        buffer += '}';
        end();
    }
    void flush() {
        if (fwrite(buffer.data(), 1, buffer.size(), stdout) != buffer.size() || fflush(stdout) != 0) {
            perror("collapse_simdjson: stdout");
            exit(2);
        }
        buffer.clear();
    }

private:
    void name(const char *key) {
        if (buffer.back() != '{') buffer += ',';
        buffer += '"';
        buffer += key;
        buffer += "\":";
    }
    string buffer;
};

// MARK: - Formats

// The APNs payload that FCM would send: `payload` takes precedence over the notification, with data beside aps.
string derived_payload(const object &notification, const object &data, const object &payload) {
    static const std::pair<string_view, string_view> alert_names[] = {
        {"title", "title"}, {"subtitle", "subtitle"}, {"body", "body"}, {"title_loc_key", "title-loc-key"},
        {"title_loc_args", "title-loc-args"}, {"body_loc_key", "loc-key"}, {"body_loc_args", "loc-args"},
    };
    static const std::pair<string_view, string_view> aps_names[] = {
        {"sound", "sound"}, {"badge", "badge"}, {"click_action", "category"},
    };
    string out = "{";
    for (auto [key, value] : data)
        if (key != "aps" && !has(payload, key)) append_member(out, key, value);
    for (auto [key, value] : payload)
        if (key != "aps") append_member(out, key, value);

    append_key(out, "aps");
    out += '{';
    const object aps = object_at(payload, "aps");
    for (auto [key, value] : aps) append_member(out, key, value);
    if (!has(aps, "alert")) {
        string alert = "{";
        element value;
        for (auto [key, name] : alert_names)
            if (!notification[key].get(value)) append_member(alert, name, value);
        if (alert.size() > 1) {
            append_key(out, "alert");
            out += alert += '}';
        }
    }
    for (auto [key, name] : aps_names) {
        element value;
        if (!has(aps, name) && !notification[key].get(value)) append_member(out, name, value);
    }
    return out += "}}";
}

class Reader {
public:
    // Reads a record into `message`. False when there is no message in it, and `fault` says why.
    // simdjson::SIMDJSON_PADDING bytes after the line must be readable.
    bool read(string_view line, Message &message, Malformed &fault) {
        element root;
        if (auto error = parser.parse(line.data(), line.size(), false).get(root)) return syntax(error, fault);
        object record;
        if (root.get(record)) return fail("record.not-an-object", "a record must be a JSON object", fault);

        message.devices.clear();
        message.app = message.identifier = {};
        message.body.clear();
        message.line = line;
        object inner;
        if (!record["aps"].get(inner)) return read_payload(record, message);
        if (has(record, "payload")) return read_envelope(record, message, fault);
        if (!record["message"].get(inner)) return read_fcm(inner, message);
        for (const char *name : {"to", "registration_ids", "condition", "notification_key"})
            if (has(record, name)) return read_gcm(record, message);
        return fail("record.unknown-shape", "this object matches no known format", fault);
    }

private:
    simdjson::dom::parser parser;
    simdjson::dom::parser nested_parser; // of payloads in a string

    static bool fail(string_view rule, string_view text, Malformed &fault) {
        fault = {rule, text};
        return false;
    }

    static bool syntax(simdjson::error_code error, Malformed &fault) {
        const bool is_utf8 = error == simdjson::UTF8_ERROR;
        return fail(is_utf8 ? "json.invalid-utf8" : "json.syntax", simdjson::error_message(error), fault);
    }

    static bool read_payload(const object &record, Message &message) {
        message.provider = &apns;
        message.devices.push_back("default");
        message.app = text_or(record["Simulator Target Bundle"], "");
        message.body = simdjson::to_string(record);
        message.bytes = message.body.size();
        message.limit = apns_limit;
        message.is_shown = has_apns_alert(record);
        return true;
    }

    bool read_envelope(const object &record, Message &message, Malformed &fault) {
        const element value = record["payload"].value_unsafe(); // exists, as read() has checked
        object payload;
        string_view text;
        if (!value.get(payload)) {
            message.body = simdjson::to_string(payload);
        } else if (!value.get(text)) {
            element root;
            message.body = text;
            if (auto error = nested_parser.parse(message.body).get(root)) return syntax(error, fault);
            if (root.get(payload)) return fail("record.payload-type", "the payload must be a JSON object", fault);
        } else {
            return fail(
                "record.payload-type", "payload must be an object, or a string with the exact body", fault);
        }
        const object headers = object_at(record, "headers");
        message.provider = &apns;
        message.devices.push_back(text_or(record["device"], "default"));
        message.app = text_or(headers["apns-topic"], "");
        message.bytes = message.body.size();
        message.limit = text_or(headers["apns-push-type"], "") == "voip" ? voip_limit : apns_limit;
        message.identifier = text_or(headers["apns-collapse-id"], "");
        message.is_shown = is_shown_push_type(headers) && has_apns_alert(payload);
        return true;
    }

    static bool read_gcm(const object &record, Message &message) {
        message.limit = target_limit;
        array devices;
        if (!record["registration_ids"].get(devices))
            for (element device : devices) message.devices.push_back(text_or(device, ""));
        if (message.devices.empty()) {
            const auto target = record["to"], condition = record["condition"];
            if (target.error() && condition.error()) {
                message.devices.push_back(text_or(record["notification_key"], ""));
            } else {
                message.devices.push_back(text_or(target.error() ? condition : target, ""));
                if (target.error() || message.devices[0].substr(0, 8) == "/topics/") message.limit = topic_limit;
            }
        }
        const object notification = object_at(record, "notification");
        message.provider = &gcm;
        message.app = text_or(record["restricted_package_name"], "");
        message.bytes = counted_bytes(notification) + counted_bytes(object_at(record, "data"));
        message.identifier = text_or(notification["tag"], "");
        message.is_shown = has_android_alert(notification);
        return true;
    }

    static bool read_fcm(const object &request, Message &message) {
        message.provider = &fcm;
        const bool has_token = has(request, "token");
        message.limit = has_token ? target_limit : topic_limit;
        message.devices.push_back(text_or(
            request["token"], text_or(request["topic"], text_or(request["condition"], "default"))));
        const object notification = object_at(request, "notification");
        const object data = object_at(request, "data");
        if (has(request, "apns") && !has(request, "android") && !has(request, "webpush"))
            return read_fcm_for_ios(object_at(request, "apns"), notification, data, message);

        const object android = object_at(request, "android");
        const object android_notification = object_at(android, "notification");
        message.app = text_or(android["restricted_package_name"], "");
        message.bytes = counted_bytes(notification) + counted_bytes(data) + counted_bytes(android_notification)
            + counted_bytes(object_at(android, "data"));
        message.identifier = text_or(android_notification["tag"], text_or(notification["tag"], ""));
        message.is_shown = has_android_alert(notification) || has_android_alert(android_notification);
        return true;
    }

    static bool read_fcm_for_ios(
        const object &block, const object &notification, const object &data, Message &message) {
        const object headers = object_at(block, "headers");
        const object payload = object_at(block, "payload");
        message.body = derived_payload(notification, data, payload);
        message.app = text_or(headers["apns-topic"], "");
        message.bytes = message.body.size();
        message.identifier = text_or(headers["apns-collapse-id"], "");
        const bool has_own_alert = has(object_at(payload, "aps"), "alert");
        const bool has_alert = has_own_alert ? has_apns_alert(payload) : has_android_alert(notification)
            || has_any_text(notification, {"subtitle"});
        message.is_shown = is_shown_push_type(headers) && has_alert;
        return true;
    }
};

// MARK: - Delivery

class Screens {
public:
    void deliver(Message &message, uint64_t seq, Report &report) {
        const bool has_many_targets = message.devices.size() > 1;
        for (size_t target = 0; target < message.devices.size(); ++target) {
            const string_view device = message.devices[target];
            report.begin(seq);
            if (has_many_targets) report.number("target", target);
            report.text("provider", message.provider->name);
            report.text("device", device);
            if (!message.app.empty()) report.text("topic", message.app);
            if (message.bytes > message.limit) {
                report.text("outcome", "rejected");
                report.number("status", message.provider->status);
                report.text("reason", message.provider->reason);
                measured(message, report);
            } else if (!message.is_shown) {
                report.text("outcome", "silent");
                report.number("status", 200);
                measured(message, report);
            } else {
                const string_view identifier = identify(message, seq, target, has_many_targets);
                const uint64_t earlier = show(device, message, identifier, seq);
                report.text("outcome", earlier ? "replaced" : "delivered");
                report.number("status", 200);
                measured(message, report);
                report.text("identifier", identifier);
                if (earlier) report.number("replaces", earlier);
            }
            report.end();
        }
    }

private:
    struct Shown {
        uint64_t seq = 0; // 0: there was none. Ordered by seq and target, oldest first.
        string payload;
    };
    std::unordered_map<string, Shown> shown; // by device, app and identifier
    string key;
    string made_up;

    static void measured(const Message &message, Report &report) {
        report.number("bytes", message.bytes);
        report.number("limit", message.limit);
    }

    string_view identify(const Message &message, uint64_t seq, size_t target, bool has_many_targets) {
        if (!message.identifier.empty()) return message.identifier;
        made_up = "push-";
        append_number(made_up, seq);
        if (has_many_targets) {
            made_up += '.';
            append_number(made_up, target);
        }
        return made_up;
    }

    // Returns the number of the replaced record; 0 when there was none.
    uint64_t show(string_view device, Message &message, string_view identifier, uint64_t seq) {
        key.assign(device).append(1, '\0').append(message.app).append(1, '\0').append(identifier);
        Shown &place = shown[key];
        // A serialized payload belongs to one device; a line may belong to many.
        if (message.body.empty()) place.payload = message.line;
        else place.payload = std::move(message.body);
        return std::exchange(place.seq, seq);
    }
};

// MARK: - Input

// Lines of a file, read in pieces, followed by the padding that simdjson requires.
class LineReader {
public:
    explicit LineReader(const char *path) : path(path), descriptor(open(path, O_RDONLY)), buffer(2 * piece) {
        if (descriptor < 0) fail();
    }
    ~LineReader() { close(descriptor); }
    LineReader(const LineReader &) = delete;
    LineReader &operator=(const LineReader &) = delete;

    // False at the end. A line has no newline, and is valid until the next call.
    bool next(string_view &line) {
        size_t searched = start;
        while (true) {
            const void *newline = memchr(buffer.data() + searched, '\n', end - searched);
            if (newline) {
                line = {buffer.data() + start, size_t(static_cast<const char *>(newline) - buffer.data()) - start};
                start += line.size() + 1;
                return true;
            }
            const size_t rest = end - start;
            if (!fill()) {
                line = {buffer.data() + start, rest};
                start = end;
                return rest > 0;
            }
            searched = start + rest;
        }
    }

private:
    static constexpr size_t piece = 1 << 20; // 1 MiB
    const char *path;
    int descriptor;
    std::vector<char> buffer;
    size_t start = 0, end = 0;

    bool fill() {
        memmove(buffer.data(), buffer.data() + start, end - start);
        end -= start;
        start = 0;
        if (buffer.size() < end + piece + simdjson::SIMDJSON_PADDING)
            buffer.resize(2 * (end + piece) + simdjson::SIMDJSON_PADDING);
        const ssize_t count = ::read(descriptor, buffer.data() + end, piece);
        if (count < 0) fail();
        end += size_t(count);
        return count > 0;
    }

    [[noreturn]] void fail() const {
        fprintf(stderr, "collapse_simdjson: %s: %s\n", path, strerror(errno));
        exit(2);
    }
};

bool is_blank(string_view line) { return line.find_first_not_of(" \t\r") == string_view::npos; }

} // namespace

int main(int count, char **arguments) {
    if (count != 2) {
        fprintf(stderr, "usage: collapse_simdjson FILE\n");
        return 2;
    }
    LineReader lines(arguments[1]);
    Reader reader;
    Screens screens;
    Report report;
    Message message{};
    Malformed fault;
    uint64_t seq = 0;
    string_view line;
    while (lines.next(line)) {
        if (is_blank(line)) continue;
        ++seq;
        if (reader.read(line, message, fault)) screens.deliver(message, seq, report);
        else report.malformed(seq, fault);
    }
    report.flush();
    // The process ends here, without destroying a million notifications first.
    fflush(stdout);
    _exit(0);
}
