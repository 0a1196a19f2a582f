// Measures how fast simdjson's DOM parses the lines of a file.
//
//     g++ -O3 -std=c++17 -Wall -Wextra scan_simdjson.cpp -o scan_simdjson -lsimdjson
//     scan_simdjson FILE ROUNDS
//
// The file is in memory before the measurement starts, with the padding that simdjson requires, and one parser reads all
// lines. Prints `scan_simdjson DOCS BYTES best-ns median-ns`: documents and bytes of a round, nanoseconds per document in
// the best and in the median round. To stderr: the same in MB/s, and lines that are not JSON, which count as
// documents.

#include <simdjson.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

// Parses every line. Returns the number of lines that are not JSON.
size_t scan(simdjson::dom::parser &parser, const simdjson::padded_string &text, size_t &documents) {
    const char *line = text.data(), *end = text.data() + text.size();
    size_t failures = 0;
    documents = 0;
    while (line < end) {
        const void *newline = memchr(line, '\n', size_t(end - line));
        const char *stop = newline ? static_cast<const char *>(newline) : end;
        if (stop > line) {
            failures += parser.parse(line, size_t(stop - line), false).error() != simdjson::SUCCESS;
            ++documents;
        }
        line = stop + 1;
    }
    return failures;
}

} // namespace

int main(int count, char **arguments) {
    const long rounds = count == 3 ? strtol(arguments[2], nullptr, 10) : 0;
    if (rounds < 1) {
        fprintf(stderr, "usage: scan_simdjson FILE ROUNDS\n");
        return 2;
    }
    simdjson::padded_string text;
    if (auto error = simdjson::padded_string::load(arguments[1]).get(text)) {
        fprintf(stderr, "scan_simdjson: %s: %s\n", arguments[1], simdjson::error_message(error));
        return 2;
    }
    simdjson::dom::parser parser;
    size_t documents = 0, failures = 0;
    std::vector<double> nanoseconds; // per document
    for (long round = 0; round < rounds; ++round) {
        const auto begin = std::chrono::steady_clock::now();
        failures = scan(parser, text, documents);
        const std::chrono::duration<double, std::nano> elapsed = std::chrono::steady_clock::now() - begin;
        nanoseconds.push_back(elapsed.count() / double(std::max<size_t>(documents, 1)));
    }
    std::sort(nanoseconds.begin(), nanoseconds.end());
    const double best = nanoseconds.front(), median = nanoseconds[(nanoseconds.size() - 1) / 2];
    const double bytes = double(text.size()) / double(std::max<size_t>(documents, 1));
    fprintf(stderr, "scan_simdjson: best %.0f MB/s, median %.0f MB/s, %zu not JSON, for %s\n", bytes / best * 1e3,
        bytes / median * 1e3, failures, simdjson::get_active_implementation()->name().c_str());
    printf("scan_simdjson %zu %zu %.1f %.1f\n", documents, text.size(), best, median);
    return 0;
}
