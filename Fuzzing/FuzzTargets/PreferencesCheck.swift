import AppSimulation

/// A file of preferences is refused or read, and survives a round trip when it is read.
enum PreferencesCheck {
    @Sendable static func make() -> FuzzTarget.Check {
        { bytes in
            guard var book = try? PreferenceBook(parsing: Array(bytes)) else { return nil }
            for (name, preferences) in book.devices { book.set(preferences, of: name) }
            let written = book.serialized()
            guard let again = try? PreferenceBook(parsing: written) else {
                return "what was written cannot be read: \(readable(written))"
            }
            return again.devices == book.devices ? nil : "what was written reads otherwise: \(readable(written))"
        }
    }
}
