import AppSimulation
import PushDecoding
package import PushModel
import PushSystem

/// The state of one app on one device. A plain value of 24 bytes, ordered so that it has no gaps: rare state is in `InstallationDetails`.
package struct Installation: Equatable, BitwiseCopyable, Sendable {
    /// When the token became invalid, in milliseconds since the epoch.
    package var unregisteredAt: Int64?
    /// The token's standing with the sender.
    package var standing = TokenLifeCycle.Standing.confirmed
    package var appState = DeviceEvent.AppState.background
    package var authorization = DeviceEvent.Authorization.authorized
    /// True if the user has alerts switched on.
    package var showsAlerts = true
    /// Nil when no event has set it.
    package var isLoggedIn: Bool?
    package var registration = DeviceEvent.Registration.succeeded
    /// True if `AppSettings.types` is set.
    package var hasTypes = false
    /// Since when the token has its standing, in milliseconds since the epoch.
    package var standingSince: Int64 = 0

    package init() {}

    /// True if the app has only default state, so that a push is shown as on an unknown device.
    package var isPlain: Bool { self == Installation() }
}

extension DeviceEvent {
    /// The event that registers an app in a state on a device, without what its settings say.
    package init(
        registering app: String, _ state: Installation, on device: String, platform: Platform?, isOnline: Bool
    ) {
        self.init(.device, device: device, app: app)
        self.platform = platform
        self.isOnline = isOnline
        appState = state.appState
        authorization = state.authorization
        showsAlerts = state.showsAlerts
        isLoggedIn = state.isLoggedIn
        registration = state.registration
        unregisteredAt = state.unregisteredAt
        switch state.standing {
        case .confirmed: return
        case .unconfirmed: isConfirmed = false
        case .disabled, .deleted: token = state.standing
        }
        // A time outside the calendar is from an edited store; the event could not be read again.
        if EventTime.writable.contains(state.standingSince) { tokenSince = state.standingSince }
    }
}

/// State that only few apps on devices have.
struct InstallationDetails: Equatable, Sendable {
    /// The messages that its provider has queued until the device is online.
    var storage = OfflineStorage()
    /// The app's screens. Nil until first needed: the app is then in the state of `Installation.appState`.
    var app: AppStateMachine?
    /// Since when the app has not been in the foreground, in milliseconds since the epoch; nil when unknown.
    var awaySince: Int64?
    /// The notification that is on top of the app and not in the list; nil when there is none.
    var banner: ShownBanner?
    /// What events have said of the app beyond its state.
    var settings = AppSettings()

    /// An index of the categories, if there are many.
    private(set) var categoryIndex: CategoryIndex?

    /// Makes the index of the categories that the settings have now.
    mutating func indexCategories() { categoryIndex = settings.categories.flatMap { CategoryIndex.kept(for: $0) } }

    var isEmpty: Bool { storage.isEmpty && !hasScreens && self == Self.nothing }

    /// True if the app's screens are known. Comparing with nil would copy them first.
    var hasScreens: Bool { @inline(__always) get { if case .some = app { true } else { false } } }

    private static let nothing = InstallationDetails()
}

/// The details of the apps that have any. They are large, so they stay where they are, are read and changed in place, and places are used
/// again.
@safe  // SOUND: owns the pages, in which the first `apps.count` places are initialized, and checks every place.
struct DetailsTable: ~Copyable {
    private var pages: [UnsafeMutablePointer<InstallationDetails>] = unsafe []
    /// The app by place; `DeviceTable.none` for a place that is free.
    private var apps: [UInt32] = []
    private var free: [UInt32] = []

    private static let pageSize = 64
    /// The size of a cache line in bytes. Where lines are longer, some are prefetched twice.
    static var cacheLine: Int { 64 }
    private static let nothing = InstallationDetails()
    /// Read for an app without details.
    private let none = UnsafeMutablePointer<InstallationDetails>.allocate(capacity: 1)

    init() { unsafe none.initialize(to: Self.nothing) }

    deinit {
        removePages()
        // SOUND: it was allocated and initialized in `init`.
        unsafe none.deinitialize(count: 1)
        unsafe none.deallocate()
    }

    /// The number of apps with details.
    var count: Int { apps.count - free.count }

    mutating func removeAll() {
        removePages()
        unsafe pages = unsafe []
        apps = []
        free = []
    }

    private func removePages() {
        // SOUND: a page was allocated here, and its places below `apps.count` are initialized.
        for page in unsafe pages.indices {
            unsafe pages[page].deinitialize(count: min(apps.count - page * Self.pageSize, Self.pageSize))
            unsafe pages[page].deallocate()
        }
    }

    /// Gives an app a place with nothing in it.
    mutating func add(_ app: UInt32) -> UInt32 {
        if let place = free.popLast() {
            apps[Int(place)] = app
            return place
        }
        let place = apps.count
        if place % Self.pageSize == 0 { unsafe pages.append(.allocate(capacity: Self.pageSize)) }
        // SOUND: the page is there, and nothing was in this place.
        unsafe (pages[place / Self.pageSize] + place % Self.pageSize).initialize(to: Self.nothing)
        apps.append(app)
        return UInt32(place)
    }

    /// Frees a place with nothing in it.
    mutating func remove(_ place: UInt32) {
        apps[Int(place)] = DeviceTable.none
        free.append(place)
    }

    /// The details at a place.
    @inline(__always)
    private func address(_ place: UInt32) -> UnsafeMutablePointer<InstallationDetails> {
        // SOUND: the place was checked, so its page exists and the value is initialized.
        precondition(place < apps.count)
        return unsafe pages[Int(place) / Self.pageSize] + Int(place) % Self.pageSize
    }

    /// Where the details at a place are, as long as nothing is removed; nothing is at `DeviceTable.none`.
    @inline(__always)
    func address(orNothing place: UInt32) -> UnsafePointer<InstallationDetails> {
        unsafe UnsafePointer(place == DeviceTable.none ? none : address(place))
    }

    /// The details at a place; nothing at `DeviceTable.none`.
    subscript(place: UInt32) -> InstallationDetails {
        // An address: Swift 6.3 reads large members of what a coroutine yields after it has ended.
        // SOUND: nothing is removed while it is read.
        @inline(__always) unsafeAddress { unsafe address(orNothing: place) }
        @inline(__always) _modify {
            // SOUND: as above.
            yield unsafe &address(place).pointee
        }
    }

    /// Prefetches the details at a place.
    func prefetch(_ place: UInt32) {
        // SOUND: the address is that of a place.
        let bytes = unsafe UnsafeRawPointer(address(place))
        for offset in stride(from: 0, to: MemoryLayout<InstallationDetails>.size, by: Self.cacheLine) {
            unsafe Memory.prefetch(bytes + offset)
        }
    }

    /// True if there is nothing at a place. Most that are not empty have something queued, or screens.
    func isEmpty(_ place: UInt32) -> Bool {
        // SOUND: the address is that of a place, and nothing changes it meanwhile.
        let details = unsafe address(place)
        guard unsafe details.pointee.storage.isEmpty else { return false }
        if case .some = unsafe details.pointee.app { return false }
        return unsafe details.pointee == Self.nothing
    }

    func forEachApp(_ body: (UInt32, InstallationDetails) -> Void) {
        for (place, app) in apps.enumerated() where app != DeviceTable.none { body(app, self[UInt32(place)]) }
    }
}
