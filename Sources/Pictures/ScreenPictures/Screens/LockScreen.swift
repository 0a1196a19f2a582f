/// Draws the lock screen of an iPhone with iOS 18. The notifications are at the bottom, newest first, and the screen grows if there are
/// more than it can show at once.
struct LockScreen {
    private typealias Theme = PictureTheme

    /// The most Live Activities, those of the greatest relevance.
    static let mostActivities = 4
    /// Lines of a notification's body, as iOS shows them.
    private static let mostBodyLines = 4
    /// Where the first card may begin, below the clock.
    private static let top = 262.0
    /// Space below the last card: two buttons and the home indicator.
    private static let bottom = 116.0

    let screen: PhoneScreen
    private let cards: [any LockScreenCard]
    /// Notifications of groups without any card, and Live Activities.
    private let leftOut: Int
    /// Of the screen, without the bezel.
    let height: Double

    init(_ screen: PhoneScreen) {
        self.screen = screen
        let width = Theme.screenWidth - 2 * Theme.cardMargin
        var cards: [any LockScreenCard] = screen.activities.prefix(Self.mostActivities)
            .map { ActivityCard($0, width: width) }
        // A group is a stack with its newest notification on top, as iOS groups them by app and thread ("Automatic").
        for group in screen.groups() {
            cards.append(
                NotificationCard(
                    group.cards[0], width: width, now: screen.time, lines: Self.mostBodyLines, stacked: group.count - 1)
            )
        }
        self.cards = cards
        leftOut =
            screen.count - screen.groups().reduce(0) { $0 + $1.count }
            + max(screen.activities.count - Self.mostActivities, 0)
        let needed = Self.height(of: cards, leftOut)
        height = max(Theme.screenHeight, Self.top + needed + Self.bottom)
    }

    private static func height(of cards: [any LockScreenCard], _ leftOut: Int) -> Double {
        cards.reduce(0) { $0 + $1.height + Theme.cardGap } - Theme.cardGap + (leftOut > 0 ? 32 : 0)
    }

    /// Draws it with its bezel; the bezel's top left corner is the origin.
    func draw(on canvas: inout SVGCanvas) {
        let frame = PictureFrame(x: Theme.bezelWidth, y: Theme.bezelWidth, width: Theme.screenWidth, height: height)
        DeviceBody.draw(around: frame, on: &canvas)
        canvas.clipped(to: frame, radius: Theme.screenRadius) { canvas in
            canvas.wallpaper(frame, number: Theme.wallpaper(of: screen.device))
            canvas.moved(x: frame.x, y: frame.y) { drawContents(on: &$0) }
        }
    }

    private func drawContents(on canvas: inout SVGCanvas) {
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

enum DeviceBody {
    static func draw(around screen: PictureFrame, on canvas: inout SVGCanvas) {
        let width = PictureTheme.bezelWidth
        canvas.rectangle(
            screen.inset(0.75 - width, 0.75 - width),
            radius: PictureTheme.screenRadius + width, .bezel, stroke: .edge, width: 1.5)
    }
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
        canvas.outline(PictureFrame(x: right - 28, y: 24, width: 25, height: 12.5), radius: 4, .clock, width: 1)
        canvas.rectangle(PictureFrame(x: right - 26, y: 26, width: 17, height: 8.5), radius: 2.4, .clock)
        canvas.rectangle(PictureFrame(x: right - 1.8, y: 28.4, width: 1.6, height: 4), radius: 0.8, .clock)
    }
}
