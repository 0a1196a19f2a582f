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
        forEachLane { centers in
            centers.forEachCenter(on: nil) { device, app, count, badge, latest in
                guard found.count < limit else { return }
                take(
                    CenterSummary(
                        device: device.string, app: app.string, badge: badge, count: count, latest: latest))
            }
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
                centers.forEachCenter(on: device) { device, app, count, badge, latest in
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
        var found: [(device: String, app: String, badge: Int?)] = []
        forEachLane { centers in
            centers.forEachCenter(on: nil) { device, app, _, badge, _ in
                found.append((device.string, app.string, badge))
            }
        }
        for center in found { try body(center.device, center.app, center.badge) }
    }

    package func lockedDevices() throws -> Set<String> { registry.lockedDevices() }

    package func badges(on device: String) throws -> [(app: String, badge: Int)] {
        var found: [(app: String, badge: Int)] = []
        BorrowedText.with(nameOnScreens(device) ?? device) { device in
            withLane(of: device) { centers in
                centers.forEachCenter(on: device) { _, app, _, badge, _ in
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
