/// The details of the apps that have any. They are large, so they are read and changed in place, and places are used again.
struct DetailsTable {
    private var pages: [[InstallationDetails]] = []
    /// The app by place; `DeviceTable.none` for a place that is free.
    private var apps: [UInt32] = []
    private var free: [UInt32] = []
    /// Read for an app without details.
    private let nothing = InstallationDetails()

    private static let pageSize: UInt32 = 64

    /// The number of apps with details.
    var count: Int { apps.count - free.count }

    mutating func removeAll() { self = Self() }

    /// Gives an app a place with nothing in it.
    mutating func add(_ app: UInt32) -> UInt32 {
        if let place = free.popLast() {
            apps[Int(place)] = app
            return place
        }
        let place = UInt32(apps.count)
        apps.append(app)
        if place % Self.pageSize == 0 {
            pages.append([])
            pages[pages.count - 1].reserveCapacity(Int(Self.pageSize))
        }
        pages[pages.count - 1].append(nothing)
        return place
    }

    /// Frees a place with nothing in it.
    mutating func remove(_ place: UInt32) {
        apps[Int(place)] = DeviceTable.none
        free.append(place)
    }

    /// The details at a place; nothing at `DeviceTable.none`.
    subscript(place: UInt32) -> InstallationDetails {
        _read {
            if place == DeviceTable.none {
                yield nothing
            } else {
                yield pages[Int(place / Self.pageSize)][Int(place % Self.pageSize)]
            }
        }
        _modify { yield &pages[Int(place / Self.pageSize)][Int(place % Self.pageSize)] }
    }

    func forEachApp(_ body: (UInt32, InstallationDetails) -> Void) {
        for (place, app) in apps.enumerated() where app != DeviceTable.none { body(app, self[UInt32(place)]) }
    }
}
