/// The banners on one device that events may be about, so that an event need not look at each.
///
/// Adding one is O(1) unless an older one comes later, and finding the newest is expected O(1).
struct BannerBoard {
    private struct Entry {
        var seq: UInt64
        var app: UInt32
    }

    private var banners: [UInt32: ShownBanner] = [:]
    /// In order of their records, with some that are gone.
    private var all: [Entry] = []
    private var byIdentifier: [String: [Entry]] = [:]
    /// Entries in `byIdentifier`.
    private var identified = 0
    /// Banners that were over at this time have no entry; milliseconds since the epoch.
    private var droppedAt = Int64.min

    /// How many entries may be out of date besides as many as there are banners.
    private static let spare = 16

    /// Of both kinds; at most 2 · `spare` more than four times the apps that have had a banner.
    var entryCount: Int { all.count + byIdentifier.values.reduce(0) { $0 + $1.count } }

    mutating func set(_ banner: ShownBanner?, of app: UInt32) {
        guard banners[app] != banner else { return }
        banners[app] = banner
        guard let banner else { return }
        let entry = Entry(seq: banner.seq, app: app)
        Self.insert(entry, into: &all)
        Self.insert(entry, into: &byIdentifier[banner.identifier, default: []])
        identified += 1
        // Events that name an identifier shorten only its own list, and others only `all`.
        if max(all.count, identified) > 2 * banners.count + Self.spare { rebuild() }
    }

    /// The app of the banner with the greatest record number that is still there; of several the app that was registered first. Nil if there
    /// is none.
    ///
    /// - Parameters:
    ///   - seq: the record that it came in; nil for any.
    ///   - identifier: nil for any.
    ///   - at: milliseconds since the epoch.
    mutating func newest(seq: UInt64?, identifier: String?, at: Int64) -> UInt32? {
        // A clock that was set back shows them again.
        if at < droppedAt { rebuild() }
        droppedAt = at
        if let identifier {
            let before = byIdentifier[identifier]?.count ?? 0
            Self.dropLast(of: &byIdentifier[identifier, default: []], banners, at)
            identified -= before - (byIdentifier[identifier]?.count ?? 0)
            if byIdentifier[identifier]?.isEmpty == true { byIdentifier[identifier] = nil }
        } else {
            Self.dropLast(of: &all, banners, at)
        }
        let candidates = identifier.map { byIdentifier[$0] ?? [] } ?? all
        var place = seq.map { Self.end(of: $0, in: candidates) } ?? candidates.count
        var found: Entry?
        while place > 0 {
            place -= 1
            let entry = candidates[place]
            if let seq, entry.seq != seq { break }
            if let found, entry.seq != found.seq { break }
            let fits = banners[entry.app]?.identifier == identifier ?? banners[entry.app]?.identifier
            if fits, Self.isShown(entry, banners, at) { found = entry.app < found?.app ?? .max ? entry : found }
        }
        return found?.app
    }

    private static func isShown(_ entry: Entry, _ banners: [UInt32: ShownBanner], _ at: Int64) -> Bool {
        banners[entry.app].map { $0.seq == entry.seq && $0.isShown(at: at) } ?? false
    }

    private static func dropLast(of entries: inout [Entry], _ banners: [UInt32: ShownBanner], _ at: Int64) {
        while let last = entries.last, !isShown(last, banners, at) { entries.removeLast() }
    }

    private mutating func rebuild() {
        let kept = banners
        self = Self()
        for (app, banner) in kept.sorted(by: { $0.value.seq < $1.value.seq }) { set(banner, of: app) }
    }

    private static func insert(_ entry: Entry, into entries: inout [Entry]) {
        entries.insert(entry, at: end(of: entry.seq, in: entries))
    }

    /// Where entries of later records begin.
    private static func end(of seq: UInt64, in entries: [Entry]) -> Int {
        if let last = entries.last, last.seq <= seq { return entries.count }
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].seq <= seq { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
