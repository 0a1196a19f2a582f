package import PayloadJSON
package import PushModel

/// A device as a store keeps it.
package struct DeviceRow {
    package var id: Int64
    package var name: BorrowedText
    /// Nil when no event has set it.
    package var platform: Platform?
    package var isOnline: Bool
    /// The Focus that is on, and whether the device is locked, as JSON; nil while neither is.
    package var focus: String?
    /// Where a new row belongs, in the store of a part; 0 in any other. Not read back.
    package var birth: Int64

    package init(
        id: Int64, name: BorrowedText, platform: Platform?, isOnline: Bool, focus: String? = nil, birth: Int64 = 0
    ) {
        self.birth = birth
        self.id = id
        self.name = name
        self.platform = platform
        self.isOnline = isOnline
        self.focus = focus
    }
}

/// An app on a device as a store keeps it.
package struct AppRow {
    package var id: Int64
    package var device: Int64
    package var name: BorrowedText
    package var state: Installation
    package var canonical: String?
    package var deletedCount: Int
    /// When the token is due under the default life cycle; nil when it is not. Not read back.
    package var tokenDue: Int64?
    /// The app's screens and similar state, as JSON; nil when there is none.
    package var details: String?
    /// The names by which the app can be found, if they have changed: `InstallationDetails.names`. Not read back.
    package var changedNames: Set<String>?
    /// As that of a `DeviceRow`.
    package var birth: Int64

    package init(
        id: Int64, device: Int64, name: BorrowedText, state: Installation, canonical: String?, deletedCount: Int,
        tokenDue: Int64? = nil, details: String? = nil, changedNames: Set<String>? = nil, birth: Int64 = 0
    ) {
        self.birth = birth
        self.id = id
        self.device = device
        self.name = name
        self.state = state
        self.canonical = canonical
        self.deletedCount = deletedCount
        self.tokenDue = tokenDue
        self.details = details
        self.changedNames = changedNames
    }
}
