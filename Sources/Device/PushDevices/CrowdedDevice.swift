import AppSimulation
import PayloadJSON
import PushModel

/// Which apps of a device with several are in a state that few are in at a time, so that an event need not look at all of them.
struct CrowdedDevice {
    /// The first app that has a name: an entry without one stands for apps that no event has named.
    let first: UInt32
    private(set) var inFront: Set<UInt32> = []
    /// Apps for which something is queued.
    private(set) var queued: Set<UInt32> = []
    var banners = BannerBoard()

    init(first: UInt32) { self.first = first }

    mutating func note(_ app: UInt32, isInFront: Bool, isQueued: Bool, banner: ShownBanner?) {
        if isInFront { inFront.insert(app) } else { inFront.remove(app) }
        if isQueued { queued.insert(app) } else { queued.remove(app) }
        banners.set(banner, of: app)
    }
}

extension DeviceTable {
    func onlyApp(of device: UInt32) -> UInt32? {
        let newest = self[device: device].newestApp
        return newest != Self.none && self[app: newest].earlierApp == Self.none ? newest : nil
    }

    /// The apps of a device, in the order in which they were registered. O(apps).
    func apps(of device: UInt32) -> [UInt32] {
        var found: [UInt32] = []
        var position = self[device: device].newestApp
        while position != Self.none {
            found.append(position)
            position = self[app: position].earlierApp
        }
        return found.reversed()
    }

    func firstApp(of device: UInt32) -> UInt32? {
        let newest = self[device: device].newestApp
        return newest == Self.none ? nil : crowded[device]?.first ?? newest
    }

    /// The apps of a device that are in the foreground, in the order in which they were registered. O(n log n) in their number.
    func appsInFront(of device: UInt32) -> [UInt32] {
        if let crowd = crowded[device] { return crowd.inFront.sorted() }
        return onlyApp(of: device).map { self[app: $0].state.appState == .foreground ? [$0] : [] } ?? []
    }

    /// The apps of a device for which something is queued, in the order in which they were registered. O(n log n) in their number.
    func appsWithQueue(of device: UInt32) -> [UInt32] {
        if let crowd = crowded[device] { return crowd.queued.sorted() }
        return onlyApp(of: device).map { self[detailsOf: $0].storage.isEmpty ? [] : [$0] } ?? []
    }

    /// The app with the newest banner that is still there and fits; see `BannerBoard`.
    mutating func appWithBanner(on device: UInt32, seq: UInt64?, identifier: String?, at: Int64) -> UInt32? {
        if crowded[device] != nil {
            return crowded[device]?.banners.newest(seq: seq, identifier: identifier, at: at)
        }
        guard let app = onlyApp(of: device), let banner = self[detailsOf: app].banner, banner.isShown(at: at) else {
            return nil
        }
        return banner.seq == seq ?? banner.seq && banner.identifier == identifier ?? banner.identifier ? app : nil
    }

    mutating func setState(_ state: AppState, of app: UInt32) {
        self[app: app].state.appState = state
        noteState(of: app)
    }

    /// Called after the state of an app has changed.
    mutating func noteState(of app: UInt32) {
        let device = self[app: app].device
        guard !crowded.isEmpty, crowded[device] != nil else { return }
        let isInFront = self[app: app].state.appState == .foreground
        let isQueued = !self[detailsOf: app].storage.isEmpty
        let banner = self[detailsOf: app].banner
        crowded[device]?.note(app, isInFront: isInFront, isQueued: isQueued, banner: banner)
    }

    /// Called after an app was added to a device that had others.
    mutating func noteCrowd(on device: UInt32, before app: UInt32) {
        guard crowded[device] == nil else { return }
        let isNamed = !self[app: app].text.isEmpty
        crowded[device] = CrowdedDevice(first: isNamed ? app : self[device: device].newestApp)
        noteState(of: app)
    }
}
