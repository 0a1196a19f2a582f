/// The notifications in the tray of an Android device: their order, and which of them are bundled.
///
/// Sources: FCM v1, `AndroidNotification.event_time` ("Notifications in the panel are sorted by this time"); Android, "Create a group of
/// notifications": the system bundles four and more notifications of an app that names no group, and FCM names none.
package enum AndroidScreen {
    /// The fewest notifications of an app that are bundled.
    package static let leastOfBundle = 4

    /// Sorts what is in the order of delivery, oldest or newest first, by the time of the events.
    package static func sort<Element>(
        _ elements: inout [Element], newestFirst: Bool = false, _ time: (Element) -> Int64
    ) {
        let times = elements.map(time)
        let order = elements.indices.sorted { first, second in
            if times[first] == times[second] { return first < second }
            return (times[first] < times[second]) != newestFirst
        }
        elements = order.map { elements[$0] }
    }
}
