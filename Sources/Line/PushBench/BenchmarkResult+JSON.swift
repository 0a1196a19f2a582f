import FoundationEssentials
import PushFiles
import PushSystem

extension BenchmarkResult {
    /// The result as a JSON document, with members in alphabetical order.
    package func json() -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Its numbers are finite, so it can always be encoded.
        return Array((try? encoder.encode(self)) ?? Data()) + [UInt8(ascii: "\n")]
    }

    /// Reads what `json()` returned.
    ///
    /// - Throws: `BenchmarkError` for anything else, and for a format of another version.
    package init(json bytes: [UInt8]) throws(BenchmarkError) {
        struct Head: Decodable { var format: Int }
        let decoder = JSONDecoder()
        guard let head = try? decoder.decode(Head.self, from: Data(bytes)) else {
            throw BenchmarkError("not a result of pushpipe bench")
        }
        guard head.format == Self.currentFormat else {
            throw BenchmarkError(
                "a result in format \(head.format), and this version reads format \(Self.currentFormat); measure it again"
            )
        }
        do {
            self = try decoder.decode(Self.self, from: Data(bytes))
        } catch {
            throw BenchmarkError("not a complete result of pushpipe bench")
        }
        guard isPlausible else { throw BenchmarkError("a result whose numbers cannot be measurements") }
    }

    /// Reads a file that `save` wrote.
    package init(path: String) throws(BenchmarkError) {
        let bytes: [UInt8]
        do throws(SystemError) { bytes = try FileBytes.read(path, limit: 64 << 20) } catch {
            throw BenchmarkError("\(path): \(error)")
        }
        do throws(BenchmarkError) { try self.init(json: bytes) } catch { throw BenchmarkError("\(path): \(error)") }
    }

    /// Writes the result to a file, and replaces one that exists.
    package func save(to path: String) throws(BenchmarkError) {
        do throws(SystemError) { try FileBytes.replaceOrMake(path, with: json()) } catch {
            throw BenchmarkError("\(path): \(error)")
        }
    }

    private var isPlausible: Bool {
        input.records > 0 && passes > 0 && samples.count >= BenchmarkSettings.fewestSamples
            && samples.allSatisfy {
                $0.seconds > 0 && $0.processorSeconds >= 0 && $0.stages.values.allSatisfy { $0 >= 0 }
            }
            && (latency?.parts ?? []).allSatisfy { $0 >= 0 } && peakMemoryBytes ?? 0 >= 0
    }
}
