import PushModel

/// Draws the notification shade of an Android 15 phone, pulled down once: the clock, four switches, and the notifications of each app.
struct Shade: DevicePicture {
    private typealias Theme = PictureTheme

    /// The most cards of an app; the others are counted.
    private static let mostOfGroup = 4
    private static let mostBodyLines = 2
    private static let margin = 16.0
    private static let top = 252.0
    private static let bottom = 84.0

    let screen: PhoneScreen
    private let rows: [ShadeRow]
    /// Notifications of groups without any row.
    private let leftOut: Int
    let height: Double
    let fonts = PictureTheme.androidFonts

    init(_ screen: PhoneScreen) {
        self.screen = screen
        var rows: [ShadeRow] = []
        let width = Theme.screenWidth - 2 * Self.margin
        for group in screen.groups() {
            let drawn = group.cards.prefix(Self.mostOfGroup)
            if screen.bundles(group.count, of: group.group.app), let newest = drawn.first {
                let others = Array(drawn.dropFirst())
                rows.append(
                    ShadeRow(newest, bundledWith: others, count: group.count, width: width, now: screen.time))
                continue
            }
            for (position, card) in drawn.enumerated() {
                let left = position == drawn.count - 1 ? group.count - drawn.count : 0
                rows.append(
                    ShadeRow(card, width: width, now: screen.time, lines: Self.mostBodyLines, leftOut: left))
            }
        }
        self.rows = rows
        leftOut = screen.count - screen.groups().reduce(0) { $0 + $1.count }
        let needed = rows.reduce(0) { $0 + $1.height + Theme.shadeGap }
        height = max(Theme.screenHeight, Self.top + needed + Self.bottom)
    }

    func drawBackground(in frame: PictureFrame, on canvas: inout SVGCanvas) { canvas.rectangle(frame, .shade) }

    func drawContents(on canvas: inout SVGCanvas) {
        canvas.circle(x: Theme.screenWidth / 2, y: 24, radius: 10, .bezel)
        canvas.text(PictureClock.time(screen.time), x: 28, y: 68, .init(20, .shadeInk, weight: 500))
        canvas.text(PictureClock.shortDate(screen.time), x: 94, y: 67, .init(14, .shadeInk))
        drawStatus(on: &canvas)
        let names = [("Internet", true), ("Bluetooth", true), ("Flashlight", false), ("Do Not Disturb", false)]
        let width = (Theme.screenWidth - 2 * Self.margin - 8) / 2
        for (position, (name, isOn)) in names.enumerated() {
            let frame = PictureFrame(
                x: Self.margin + Double(position % 2) * (width + 8), y: 88 + Double(position / 2) * 72, width: width,
                height: 64)
            canvas.rectangle(frame, radius: isOn ? 20 : 32, isOn ? .switchOn : .switchOff)
            let ink: PictureTheme.Role = isOn ? .switchOnInk : .shadeInk
            drawGlyph(position, on: &canvas, x: frame.x + 30, y: frame.midY, ink)
            canvas.text(name, x: frame.x + 52, y: frame.midY + 5, .init(14, ink, weight: 500))
        }
        var y = Self.top
        for (number, row) in rows.enumerated() {
            row.draw(
                on: &canvas, x: Self.margin, y: y, isFirst: number == 0, isLast: number == rows.count - 1)
            y += row.height + Theme.shadeGap
        }
        let middle = Theme.screenWidth / 2
        if leftOut > 0 {
            canvas.text(
                "+ \(PictureText.grouped(leftOut)) more", x: middle, y: y + 34,
                .init(14, .shadeDim, weight: 500, anchor: .middle))
        }
        if rows.isEmpty {
            canvas.text("No notifications", x: middle, y: y + 48, .init(15, .shadeDim, anchor: .middle))
        } else {
            canvas.rectangle(PictureFrame(x: Self.margin, y: y + 12, width: 84, height: 34), radius: 17, .switchOff)
            canvas.text("History", x: Self.margin + 42, y: y + 34, .init(13, .shadeInk, weight: 500, anchor: .middle))
            let right = Theme.screenWidth - Self.margin
            canvas.rectangle(PictureFrame(x: right - 84, y: y + 12, width: 84, height: 34), radius: 17, .switchOff)
            canvas.text("Clear all", x: right - 42, y: y + 34, .init(13, .shadeInk, weight: 500, anchor: .middle))
        }
        canvas.rectangle(PictureFrame(x: middle - 54, y: height - 13, width: 108, height: 4), radius: 2, .shadeInk)
    }

    private func drawStatus(on canvas: inout SVGCanvas) {
        let right = Theme.screenWidth - 28
        canvas.path("M0 0L12-12V0z", x: right - 34, y: 67, .shadeInk)
        canvas.path("M-8.5-8.5a12 12 0 0 1 17 0L0 0z", x: right - 48, y: 67, .shadeInk)
        canvas.rectangle(PictureFrame(x: right - 13, y: 54, width: 8, height: 13), radius: 1.6, .shadeInk)
        canvas.rectangle(PictureFrame(x: right - 11, y: 52, width: 4, height: 3), radius: 0.8, .shadeInk)
    }

    private func drawGlyph(_ number: Int, on canvas: inout SVGCanvas, x: Double, y: Double, _ role: PictureTheme.Role) {
        switch number {
        case 0: canvas.path("M-10-2.5a14 14 0 0 1 20 0L0 8z", x: x, y: y, role)
        case 1: canvas.path("M-5.5-5L5.5 5 0 10V-10l5.5 5L-5.5 5", x: x, y: y, nil, stroke: role, width: 1.8)
        case 2: canvas.path("M-5-10h10v3l-2.6 4.2v12h-4.8v-12L-5-7z", x: x, y: y, role)
        default:
            canvas.circle(x: x, y: y, radius: 9.5, role)
            canvas.rectangle(PictureFrame(x: x - 5, y: y - 1.2, width: 10, height: 2.4), radius: 1, .switchOff)
        }
    }
}

struct ShadeRow {
    private static let padding = 16.0
    private static let icon = 24.0
    private static let textX = 56.0
    private static let lineHeight = 20.0
    private static let chevron = 22.0
    /// The radius of corners between two rows.
    private static let innerRadius = 5.0

    private let card: PhoneScreen.Card
    private let width: Double
    private let header: String
    private let title, body: CardLines
    private let leftOut: Int
    private let isBundle: Bool

    init(_ card: PhoneScreen.Card, width: Double, now: Int64, lines: Int, leftOut: Int) {
        isBundle = false
        self.card = card
        self.width = width
        self.leftOut = leftOut
        let content = card.notification.content
        let room = width - Self.textX - Self.padding - (card.traits.hasPicture ? 60 : Self.chevron + 8)
        let age = PictureClock.age(card.notification.deliveredAt, at: now)
        let name = PictureText.appName(card.app)
        header = TextLayout.shortened("\(name) · \(age)", size: 12, room: room)
        title = CardLines(heading: content.title.map(PictureText.visible), size: 14, room: room)
        body = CardLines(body: content.body, size: 14, room: room, most: lines)
    }

    /// The bundle of an app's notifications: a line of each that is drawn.
    init(
        _ newest: PhoneScreen.Card, bundledWith others: [PhoneScreen.Card], count: Int, width: Double, now: Int64
    ) {
        card = newest
        self.width = width
        leftOut = count - 1 - others.count
        let room = width - Self.textX - Self.padding - Self.chevron - 8
        let age = PictureClock.age(newest.notification.deliveredAt, at: now)
        let name = PictureText.appName(newest.app)
        header = TextLayout.shortened("\(name) · \(PictureText.grouped(count)) · \(age)", size: 12, room: room)
        title = CardLines([])
        let lines = ([newest] + others).map { card in
            let content = card.notification.content
            let texts = [content.title, content.body].compactMap { $0.map { PictureText.visible($0) } }
            return TextLayout.shortened(texts.filter { !$0.isEmpty }.joined(separator: " – "), size: 14, room: room)
        }
        body = CardLines(lines)
        isBundle = true
    }

    var height: Double {
        2 * Self.padding + 16 + Double(title.count + body.count) * Self.lineHeight + (leftOut > 0 ? 20 : 0)
    }

    func draw(on canvas: inout SVGCanvas, x: Double, y: Double, isFirst: Bool, isLast: Bool) {
        let frame = PictureFrame(x: x, y: y, width: width, height: height)
        canvas.titled("\(card.app) \(card.notification.identifier)") { canvas in
            drawCard(on: &canvas, frame, isFirst: isFirst, isLast: isLast)
            canvas.icon(
                of: card.app, x: x + Self.padding, y: y + Self.padding, size: Self.icon, isRound: true)
            canvas.clipped(to: frame) { drawTexts(on: &$0, in: frame) }
        }
    }

    /// Corners are round where the list begins and ends.
    private func drawCard(on canvas: inout SVGCanvas, _ frame: PictureFrame, isFirst: Bool, isLast: Bool) {
        let top = isFirst ? PictureTheme.shadeRadius : Self.innerRadius
        let bottom = isLast ? PictureTheme.shadeRadius : Self.innerRadius
        func n(_ number: Double) -> String { SVGNumber.text(number) }
        let w = frame.width
        let h = frame.height
        canvas.path(
            "M0 \(n(top))a\(n(top)) \(n(top)) 0 0 1 \(n(top)) \(n(-top))H\(n(w - top))a\(n(top)) \(n(top)) 0 0 1 \(n(top)) \(n(top))"
                + "V\(n(h - bottom))a\(n(bottom)) \(n(bottom)) 0 0 1 \(n(-bottom)) \(n(bottom))H\(n(bottom))"
                + "a\(n(bottom)) \(n(bottom)) 0 0 1 \(n(-bottom)) \(n(-bottom))z",
            x: frame.x, y: frame.y, .shadeCard)
    }

    private func drawTexts(on canvas: inout SVGCanvas, in frame: PictureFrame) {
        let left = frame.x + Self.textX
        let right = frame.maxX - Self.padding - (card.traits.hasPicture ? 60 : Self.chevron + 8)
        var y = frame.y + Self.padding
        canvas.text(header, x: left, y: y + 11, .init(12, .shadeDim))
        y += 16
        title.draw(
            from: left, to: right, y: &y, lineHeight: Self.lineHeight, .init(14, .shadeInk, weight: 600), on: &canvas)
        body.draw(from: left, to: right, y: &y, lineHeight: Self.lineHeight, .init(14, .shadeDim), on: &canvas)
        if leftOut > 0 {
            canvas.text("+ \(PictureText.grouped(leftOut)) more", x: left, y: y + 15, .init(13, .shadeDim, weight: 500))
        }
        if isBundle || !card.traits.hasPicture {
            let x = frame.maxX - Self.padding - Self.chevron / 2
            let y = frame.y + Self.padding + Self.icon / 2
            canvas.circle(x: x, y: y, radius: Self.chevron / 2, .switchOff)
            canvas.path("M-4-2L0 2 4-2", x: x, y: y + 0.5, nil, stroke: .shadeInk, width: 1.6)
        } else {
            PictureTile.draw(
                PictureFrame(x: frame.maxX - Self.padding - 48, y: frame.y + Self.padding, width: 48, height: 48),
                on: &canvas)
        }
    }
}
