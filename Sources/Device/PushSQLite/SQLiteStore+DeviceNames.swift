import GRDB
import PushStore

/// A name that fits no device of a store, or several.
package struct DeviceNameError: Error, Equatable, CustomStringConvertible {
    /// As it was typed.
    package var name: String
    /// The devices that fit, sorted, at most `maximumListed`.
    package var candidates: [String]
    /// True if more devices fit than are listed.
    package var hasMore: Bool

    /// The most devices that are listed.
    package static let maximumListed = 10

    /// The problem and the remedy, in one line, or in one line per device after the first.
    package var description: String {
        if candidates.isEmpty { return "no device is named \(name), or begins with it (pushpipe store list)" }
        let lines = candidates.map { "\n  \($0)" }.joined() + (hasMore ? "\n  …" : "")
        return "\(name) is the beginning of several devices; type more of it:\(lines)"
    }
}

extension SQLiteStore {
    /// Finds a device by its name, by the beginning of it, or by the form in which text shortens it (`234c1bec…b987`).
    ///
    /// A whole name is preferred to a longer one that begins with it. Reads an index: O(log n) for n devices, and the names with that
    /// beginning.
    ///
    /// - Parameter typed: a token of APNs may be in either case.
    /// - Returns: the whole name.
    /// - Throws: `DeviceNameError` if none fits, or several; `StoreError`.
    package func device(named typed: String) throws -> String {
        try DeviceNameError.only(typed) { try devices(from: $0, to: $1) }
    }

    /// Names that begin and end so, sorted, at most one more than are listed.
    func devices(from beginning: String, to end: String) throws -> [String] {
        try reading { database in
            var found: [String] = []
            let names = try PreparedStatement(
                database, StoreQuery.devicesBeginning,
                // No name has a character after this one.
                beginning, beginning + "\u{10FFFF}")
            defer { names.reset() }
            while found.count <= DeviceNameError.maximumListed, try names.step() {
                let name = names.string(0)
                let rest = name.utf8.dropFirst(beginning.utf8.count)
                if rest.count >= end.utf8.count, rest.suffix(end.utf8.count).elementsEqual(end.utf8) {
                    found.append(name)
                }
            }
            return found
        }
    }
}

extension DeviceNameError {
    /// The only device that fits what was typed.
    ///
    /// - Parameter devices: the names with a beginning and an end, sorted, at most one more than are listed.
    /// - Throws: `DeviceNameError` if none fits, or several; what `devices` throws.
    static func only(
        _ typed: String, among devices: (_ beginning: String, _ end: String) throws -> [String]
    ) throws -> String {
        let parts = typed.split(separator: "…", maxSplits: 1, omittingEmptySubsequences: false)
        let beginning = String(parts.first ?? "")
        let end = parts.count > 1 ? String(parts[1]) : ""
        // A name may have the character that shortens another.
        var spellings = parts.count == 1 ? [] : [(typed, "")]
        spellings.append((beginning, end))
        if (beginning + end).allSatisfy(\.isHexDigit) { spellings.append((beginning.lowercased(), end.lowercased())) }
        var found: [String] = []
        for (beginning, end) in spellings where found.isEmpty {
            found = try devices(beginning, end)
            if end.isEmpty, let first = found.first, first.utf8.elementsEqual(beginning.utf8) { found = [first] }
        }
        if found.count == 1 { return found[0] }
        throw DeviceNameError(
            name: typed, candidates: Array(found.prefix(maximumListed)), hasMore: found.count > maximumListed)
    }
}
