import PushModel

/// The screens of devices next to each other.
package enum ScreensPicture {
    private static let margin = 28.0
    private static let gap = 32.0
    private static let captionHeight = 62.0
    private static let dockHeight = 92.0
    static let mostIcons = 4
    /// The greatest number on an icon; a longer one would cover it.
    static let mostBadge = 9999

    /// Draws the screens: a lock screen for an Apple device, a shade for all others. The same screens give the same bytes.
    package static func draw(_ contents: ScreenContents) -> Picture {
        var canvas = SVGCanvas()
        let screens = contents.screens
        let bodies = screens.map { screen -> any DevicePicture in
            screen.platform == .ios ? LockScreen(screen) : Shade(screen)
        }
        let bodyWidth = PictureTheme.screenWidth + 2 * PictureTheme.bezelWidth
        let bodyHeight = (bodies.map(\.height).max() ?? 120) + 2 * PictureTheme.bezelWidth
        let hasIcons = screens.contains { !$0.icons.isEmpty }
        let columns = Double(max(screens.count, 1))
        let width = 2 * margin + columns * bodyWidth + (columns - 1) * gap
        let height =
            screens.isEmpty ? 160 : margin + bodyHeight + captionHeight + (hasIcons ? dockHeight : 0) + margin - 12
        canvas.rectangle(PictureFrame(x: 0, y: 0, width: width, height: height), radius: 24, .page)
        for (position, body) in bodies.enumerated() {
            let x = margin + Double(position) * (bodyWidth + gap)
            canvas.group(fonts: body.fonts) { canvas in
                canvas.moved(x: x, y: margin) { body.draw(on: &$0) }
                canvas.moved(x: x, y: margin + body.height + 2 * PictureTheme.bezelWidth) {
                    drawCaption(of: body.screen, width: bodyWidth, on: &$0)
                }
            }
        }
        if screens.isEmpty {
            canvas.group(fonts: PictureTheme.appleFonts) { canvas in
                canvas.text("Nothing on screen", x: width / 2, y: 86, .init(17, .dim, anchor: .middle))
            }
        }
        let title =
            screens.count == 1
            ? "The screen of \(PictureText.deviceName(screens[0].device))" : "\(screens.count) screens"
        var picture = canvas.picture(
            width: width, height: height, title: screens.isEmpty ? "Nothing on screen" : title,
            description: screens.map(ScreenText.text).joined(separator: "\n"))
        if contents.devicesLeftOut > 0 {
            picture.note =
                PictureText.counted(contents.devicesLeftOut, "more device is", "more devices are") + " not drawn"
        }
        return picture
    }

    private static func counts(of screen: PhoneScreen) -> String {
        let counts = [
            (screen.activities.count, "Live Activity", "Live Activities"),
            (screen.count, "notification", "notifications"),
        ]
        return counts.filter { $0.0 > 0 }.map { PictureText.counted($0, $1, $2) }.joined(separator: ", ")
    }

    private static func drawCaption(of screen: PhoneScreen, width: Double, on canvas: inout SVGCanvas) {
        canvas.text(
            PictureText.deviceName(screen.device), x: width / 2, y: 30, .init(16, .ink, weight: 600, anchor: .middle))
        canvas.text(
            counts(of: screen), x: width / 2, y: 51, .init(14, .dim, anchor: .middle))
        // The numbers are on the home screen.
        let size = 56.0
        let step = 84.0
        let shown = screen.icons.prefix(mostIcons)
        var x = width / 2 - (Double(shown.count) * step - (step - size)) / 2
        for icon in shown {
            canvas.icon(of: icon.app, x: x, y: 72, size: size)
            let number = icon.badge > mostBadge ? "\(PictureText.grouped(mostBadge))+" : PictureText.grouped(icon.badge)
            let badge = max(TextLayout.width(number, size: 14) + 12, 23)
            canvas.rectangle(
                PictureFrame(x: x + size + 8 - badge, y: 64, width: badge, height: 23), radius: 11.5, .badge)
            canvas.text(
                number, x: x + size + 8 - badge / 2, y: 80.5, .init(14, .badgeInk, weight: 500, anchor: .middle))
            canvas.text(
                TextLayout.shortened(PictureText.appName(icon.app), size: 12, room: step - 4), x: x + size / 2, y: 145,
                .init(12, .ink, anchor: .middle))
            x += step
        }
        let left = screen.icons.count - shown.count
        if left > 0 { canvas.text("+ \(PictureText.grouped(left))", x: x - 8, y: 106, .init(15, .dim, weight: 600)) }
    }
}

/// The picture of a device. It knows its height before it is drawn.
protocol DevicePicture {
    var screen: PhoneScreen { get }
    /// The height of the screen, without the bezel.
    var height: Double { get }
    var fonts: String { get }

    func drawBackground(in frame: PictureFrame, on canvas: inout SVGCanvas)

    /// Draws what is on the screen; its top left corner is the origin.
    func drawContents(on canvas: inout SVGCanvas)
}

extension DevicePicture {
    /// Draws it with its bezel; the bezel's top left corner is the origin.
    func draw(on canvas: inout SVGCanvas) {
        let bezel = PictureTheme.bezelWidth
        let frame = PictureFrame(x: bezel, y: bezel, width: PictureTheme.screenWidth, height: height)
        canvas.rectangle(
            frame.inset(0.75 - bezel, 0.75 - bezel), radius: PictureTheme.screenRadius + bezel, .bezel, stroke: .edge,
            width: 1.5)
        canvas.clipped(to: frame, radius: PictureTheme.screenRadius) { canvas in
            drawBackground(in: frame, on: &canvas)
            canvas.moved(x: frame.x, y: frame.y) { drawContents(on: &$0) }
        }
    }
}

/// The contents of a screen as text, for those who cannot see the picture.
enum ScreenText {
    static func text(_ screen: PhoneScreen) -> String {
        var lines = [
            "\(PictureText.line(screen.device)), \(PictureClock.shortDate(screen.time)) \(PictureClock.time(screen.time)):"
        ]
        for activity in screen.activities.prefix(LockScreen.mostActivities) {
            let state = activity.contentState.map { PictureText.line($0) } ?? ""
            lines.append("Live Activity \(PictureText.appName(activity.app)), \(activity.state.rawValue): \(state)")
        }
        for card in screen.cards {
            let content = card.notification.content
            let texts = [content.title, content.subtitle, content.body].compactMap { $0.map { PictureText.line($0) } }
            lines.append("\(PictureText.appName(card.app)): \(texts.joined(separator: " – "))")
        }
        let left =
            screen.count - screen.cards.count + max(screen.activities.count - LockScreen.mostActivities, 0)
        if left > 0 { lines.append("and \(PictureText.grouped(left)) more") }
        for icon in screen.icons.prefix(ScreensPicture.mostIcons) {
            lines.append("\(PictureText.appName(icon.app)) has the number \(icon.badge)")
        }
        return lines.joined(separator: "\n")
    }
}

/// The screen of one device, as far as a picture needs it.
package struct PhoneScreen: Sendable {
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
    /// Those of `DeviceContents.screen`.
    var leastOfBundle: [String: Int] = [:]

    var count: Int { counts.values.reduce(0, +) }

    /// True if the system bundles so many notifications of an app.
    func bundles(_ count: Int, of app: String) -> Bool {
        platform == .android && AndroidScreen.bundles(count, from: leastOfBundle[app] ?? leastOfBundle[""])
    }

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

/// Draws the lock screen of an iPhone with iOS 18. The notifications are at the bottom, newest first, each group unfolded as after a tap if all
/// of them fit. Otherwise groups are stacks, and the screen grows if there are more than it can show at once.
struct LockScreen: DevicePicture {
    private typealias Theme = PictureTheme

    /// The most Live Activities, those of the greatest relevance.
    static let mostActivities = 4
    /// Lines of a notification's body, as iOS shows them.
    private static let mostBodyLines = 4
    /// The least place of the first card, below the clock.
    private static let top = 262.0
    /// Space below the last card: two buttons and the home indicator.
    private static let bottom = 116.0

    let screen: PhoneScreen
    private let cards: [any LockScreenCard]
    /// Notifications of groups without any card, and Live Activities.
    private let leftOut: Int
    let height: Double
    let fonts = PictureTheme.appleFonts

    init(_ screen: PhoneScreen) {
        self.screen = screen
        let width = Theme.screenWidth - 2 * Theme.cardMargin
        var cards: [any LockScreenCard] = screen.activities.prefix(Self.mostActivities)
            .map { ActivityCard($0, width: width) }
        let groups = screen.groups()
        func append(_ card: PhoneScreen.Card, stacked: Int) {
            cards.append(
                NotificationCard(card, width: width, now: screen.time, lines: Self.mostBodyLines, stacked: stacked))
        }
        let activities = cards
        for card in groups.flatMap(\.cards) { append(card, stacked: 0) }
        let room = Theme.screenHeight - Self.top - Self.bottom
        if groups.contains(where: { $0.count > $0.cards.count }) || Self.height(of: cards, 0) > room {
            // A group is a stack with its newest notification on top, as iOS groups them by app and thread ("Automatic").
            cards = activities
            for group in groups { append(group.cards[0], stacked: group.count - 1) }
        }
        self.cards = cards
        leftOut =
            screen.count - groups.reduce(0) { $0 + $1.count }
            + max(screen.activities.count - Self.mostActivities, 0)
        let needed = Self.height(of: cards, leftOut)
        height = max(Theme.screenHeight, Self.top + needed + Self.bottom)
    }

    private static func height(of cards: [any LockScreenCard], _ leftOut: Int) -> Double {
        cards.reduce(0) { $0 + $1.height + Theme.cardGap } - Theme.cardGap + (leftOut > 0 ? 32 : 0)
    }

    func drawBackground(in frame: PictureFrame, on canvas: inout SVGCanvas) {
        canvas.wallpaper(frame, number: Theme.wallpaper(of: screen.device))
    }

    func drawContents(on canvas: inout SVGCanvas) {
        let middle = Theme.screenWidth / 2
        StatusIcons.drawApple(on: &canvas)
        canvas.rectangle(PictureFrame(x: middle - 61, y: 12, width: 122, height: 36), radius: 18, .bezel)
        // A padlock.
        canvas.rectangle(PictureFrame(x: middle - 8, y: 74, width: 16, height: 12.5), radius: 3, .clock)
        canvas.path("M-4.7 0v-4.6a4.7 4.7 0 0 1 9.4 0", x: middle + 5, y: 75, nil, stroke: .clock, width: 2.1)
        canvas.text(
            PictureClock.longDate(screen.time), x: middle, y: 122, .init(22, .clock, weight: 600, anchor: .middle))
        canvas.text(
            PictureClock.time(screen.time), x: middle, y: 215,
            .init(104, .clock, weight: 600, anchor: .middle, spacing: -1))
        drawButtons(on: &canvas)
        var y = height - Self.bottom - Self.height(of: cards, leftOut)
        for card in cards {
            card.draw(on: &canvas, x: Theme.cardMargin, y: y)
            y += card.height + Theme.cardGap
        }
        if leftOut > 0 {
            canvas.text(
                "+ \(PictureText.grouped(leftOut)) more", x: middle, y: y + 16,
                .init(15, .clock, weight: 600, anchor: .middle))
        }
        if cards.isEmpty {
            canvas.text("No notifications", x: middle, y: height - Self.bottom - 20, .init(15, .clock, anchor: .middle))
        }
    }

    /// A flashlight, a camera, and the home indicator.
    private func drawButtons(on canvas: inout SVGCanvas) {
        let y = height - 68
        for x in [70.0, Theme.screenWidth - 70] { canvas.circle(x: x, y: y, radius: 25, .button) }
        canvas.path("M-5-10h10v3l-2.6 4.2v12h-4.8v-12l-2.6-4.2z", x: 70, y: y, .glyph)
        canvas.path(
            "M-10-5.5a2 2 0 0 1 2-2h3l1.7-2.6h6.6l1.7 2.6h3a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2h-16a2 2 0 0 1-2-2z",
            x: Theme.screenWidth - 70, y: y + 0.5, .glyph)
        canvas.circle(x: Theme.screenWidth - 70, y: y, radius: 4.2, .button)
        canvas.rectangle(
            PictureFrame(x: Theme.screenWidth / 2 - 70, y: height - 14, width: 140, height: 5), radius: 2.5, .clock)
    }
}

/// A card on the lock screen. It knows its height before it is drawn.
protocol LockScreenCard {
    var height: Double { get }

    func draw(on canvas: inout SVGCanvas, x: Double, y: Double)
}

/// Reception, Wi-Fi and battery.
enum StatusIcons {
    static func drawApple(on canvas: inout SVGCanvas) {
        let right = PictureTheme.screenWidth - 34
        for (position, height) in [4.0, 6.5, 9, 12].enumerated() {
            canvas.rectangle(
                PictureFrame(x: right - 76 + Double(position) * 5, y: 36 - height, width: 3.4, height: height),
                radius: 1, .clock)
        }
        canvas.path(
            "M-8.2-8.3a11.6 11.6 0 0 1 16.4 0M-5-4.9a7 7 0 0 1 10 0M-1.8-1.6a2.6 2.6 0 0 1 3.6 0", x: right - 43, y: 35,
            nil, stroke: .clock, width: 2.4)
        canvas.rectangle(PictureFrame(x: right - 28, y: 24, width: 25, height: 12.5), radius: 4, nil, stroke: .clock)
        canvas.rectangle(PictureFrame(x: right - 26, y: 26, width: 17, height: 8.5), radius: 2.4, .clock)
        canvas.rectangle(PictureFrame(x: right - 1.8, y: 28.4, width: 1.6, height: 4), radius: 0.8, .clock)
    }
}
