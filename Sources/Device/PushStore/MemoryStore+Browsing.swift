import DeviceScreens
import PayloadJSON
import PushDevices
import PushModel

extension MemoryStore: BrowsableStore {
    /// O(apps on devices).
    package func apps(matching search: String?, offset: Int, limit: Int) throws -> [CenterSummary] {
        var found: [CenterSummary] = []
        var skipped = 0
        func take(_ summary: CenterSummary) {
            guard found.count < limit, summary.contains(search) else { return }
            if skipped < offset { skipped += 1 } else { found.append(summary) }
        }
        for summary in centers() {
            guard found.count < limit else { break }
            take(summary)
        }
        guard found.count < limit else { return found }
        for (device, app) in registry.names() {
            guard found.count < limit else { break }
            let isShown = BorrowedText.with(device) { device in
                apps(of: device).contains { app.isEmpty || $0 == app }
            }
            if !isShown { take(CenterSummary(device: device, app: app, badge: nil, count: 0, latest: nil)) }
        }
        return found
    }

    package func apps(on device: String) throws -> [CenterSummary] {
        var found: [CenterSummary] = []
        BorrowedText.with(nameOnScreens(device) ?? device) { device in
            withLane(of: device) { centers in
                centers.forEachCenter(on: device) { _, device, app, count, badge, latest in
                    found.append(
                        CenterSummary(
                            device: device.string, app: app.string, badge: badge, count: count, latest: latest))
                }
            }
        }
        return found
    }

    package func newest(
        on device: String, app: String?, before place: UInt64, limit: Int
    ) throws -> [PlacedNotification] {
        let device = nameOnScreens(device) ?? device
        return BorrowedText.with(device) { device in
            withLane(of: device) { $0.newest(on: device, app: app, before: place, limit: limit) }
        }.map { PlacedNotification(place: $0.order, notification: $0.notification) }
    }

    package func journal(_ query: JournalQuery) throws -> [PlacedEntry] {
        var query = query
        query.device = nameOnScreens(query.device)
        return journalLines.lines(query)
    }

    package func journalPlaces() throws -> Range<UInt64> {
        let lines = journalLines
        return lines.firstPlace..<lines.nextPlace
    }

    package func hasLostLines() throws -> Bool { journalLines.hasLostLines }

    package func forEachBadge(_ body: (_ device: String, _ app: String, _ badge: Int?) throws -> Void) throws {
        for center in centers() { try body(center.device, center.app, center.badge) }
    }

    /// The apps on devices that have shown something, in the order in which they were first seen in any lane.
    private func centers() -> [CenterSummary] {
        var found: [(order: UInt64, summary: CenterSummary)] = []
        forEachLane { centers in
            centers.forEachCenter(on: nil) { order, device, app, count, badge, latest in
                let summary = CenterSummary(
                    device: device.string, app: app.string, badge: badge, count: count, latest: latest)
                found.append((order, summary))
            }
        }
        guard laneCount > 1 else { return found.map(\.summary) }
        let places = found.indices.sorted { (found[$0].order, $0) < (found[$1].order, $1) }
        return places.map { found[$0].summary }
    }

    package func lockedDevices() throws -> Set<String> { registry.lockedDevices() }

    package func badges(on device: String) throws -> [(app: String, badge: Int)] {
        var found: [(app: String, badge: Int)] = []
        BorrowedText.with(nameOnScreens(device) ?? device) { device in
            withLane(of: device) { centers in
                centers.forEachCenter(on: device) { _, _, app, _, badge, _ in
                    if let badge { found.append((app.string, badge)) }
                }
            }
        }
        return found
    }

    package func devicesHidingPreviews() throws -> Set<String> { registry.devicesHidingPreviews() }

    package func registered(on device: String) throws -> [RegisteredApp] {
        try registry.events(registering: nameOnScreens(device) ?? device).compactMap { events in
            events.first.map {
                RegisteredApp(
                    device: $0.device ?? device, app: $0.app ?? "", event: $0, furtherEvents: Array(events.dropFirst()))
            }
        }
    }
}
