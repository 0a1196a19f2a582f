import PushModel

/// The screen of one device, as far as a picture needs it.
struct PhoneScreen: Sendable {
    /// A notification, and what of its payload is visible besides its texts.
    struct Card: Sendable {
        var notification: DeliveredNotification
        var traits: NotificationTraits

        /// The app that it is drawn with. A registration id belongs to one app, so the store need not know it.
        var app: String { notification.app.isEmpty ? traits.package ?? "" : notification.app }

        /// Notifications of an app are grouped by thread; those without a thread are one group.
        var group: Group { Group(app: notification.app, thread: notification.content.thread ?? "") }
    }

    struct Group: Hashable, Sendable {
        var app: String
        var thread: String
    }

    struct Icon: Sendable, Equatable {
        var app: String
        var badge: Int
    }

    /// Token or registration id.
    var device: String
    var platform: Platform
    /// Milliseconds since the epoch: the newest delivery, or the newest change of a Live Activity.
    var time: Int64
    /// Newest first, those of an Android device in the order of its tray. The oldest ones are missing if there are more than a picture can hold.
    var cards: [Card]
    /// The number of all notifications of each group, with those that are missing from `cards`.
    var counts: [Group: Int]
    /// Those on the lock screen, in their order there.
    var activities: [LiveActivity]
    /// Apps with a number on their icon, in the order in which they got their first notification.
    var icons: [Icon]

    var count: Int { counts.values.reduce(0, +) }

    /// The cards by group, as they are drawn: groups by their newest notification.
    func groups() -> [(group: Group, cards: [Card], count: Int)] {
        var positions: [Group: Int] = [:]
        var groups: [(group: Group, cards: [Card], count: Int)] = []
        for card in cards {
            if let position = positions[card.group] {
                groups[position].cards.append(card)
            } else {
                positions[card.group] = groups.count
                groups.append((card.group, [card], counts[card.group] ?? 1))
            }
        }
        return groups
    }
}
