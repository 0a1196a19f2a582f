import PushStore

/// The device that screens, traces and snapshots are limited to: its name, or the beginning of it.
package struct ShownDevice: Sendable, Equatable {
    package let typed: String
    /// A token of APNs may be typed in either case.
    private let folded: String

    package init(_ typed: String) {
        self.typed = typed
        folded = typed.allSatisfy(\.isHexDigit) ? typed.lowercased() : typed
    }

    /// True for a device that fits, and for what concerns no device, such as a malformed record.
    package func shows(_ device: String) -> Bool {
        device.isEmpty || device.hasPrefix(typed) || device.hasPrefix(folded)
    }

    /// The name of the only device that fits, a whole name first; nil if several do. What was typed if none does. O(n) for n apps on devices.
    func name(in store: any ScreenReading) throws -> String? {
        var found: Set<String> = []
        try store.forEachBadge { device, _, _ in if shows(device) { found.insert(device) } }
        for name in [typed, folded] where found.contains(name) { return name }
        return found.count > 1 ? nil : found.first ?? folded
    }
}
