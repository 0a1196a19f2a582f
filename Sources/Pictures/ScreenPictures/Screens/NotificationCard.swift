import PushJSON
import PushModel

/// A notification as iOS shows it in the list on the lock screen.
struct NotificationCard: LockScreenCard {
    private typealias Theme = PictureTheme

    private static let textSize = 15.0
    private static let lineHeight = 19.5
    private static let labelHeight = 15.0
    private static let padding = 13.0
    private static let pictureSize = 38.0
    /// The visible part of each card of a stack, and the line that counts them.
    private static let stackEdge = 8.0

    private let card: PhoneScreen.Card
    private let width: Double
    private let time: String
    private let label: String?
    private let title, subtitle, body: CardLines
    /// The height of all texts.
    private let textHeight: Double
    /// Notifications of its group that are behind it.
    private let stacked: Int
    private let cardHeight: Double

    /// - Parameter stacked: notifications of its group that are not drawn.
    init(_ card: PhoneScreen.Card, width: Double, now: Int64, lines: Int, stacked: Int) {
        let content = card.notification.content
        self.card = card
        self.width = width
        self.stacked = stacked
        time = PictureClock.ago(card.notification.deliveredAt, at: now)
        switch card.traits.level {
        case .timeSensitive: label = "TIME SENSITIVE"
        case .critical: label = "CRITICAL"
        case .active, .passive: label = nil
        }
        let room = width - Self.textX - Self.padding - (card.traits.hasPicture ? Self.pictureSize + 8 : 0)
        // A notification without a title has its app's name there.
        let named = content.title.map { PictureText.visible($0) } ?? ""
        let heading = named.isEmpty ? PictureText.appName(card.app) : named
        let timeRoom = TextLayout.width(time, size: 13) + 8
        let titleRoom = width - Self.textX - Self.padding - timeRoom
        title = CardLines(
            [TextLayout.shortened(heading, size: Self.textSize, room: titleRoom, isBold: true)], directedAs: heading)
        subtitle = CardLines(heading: content.subtitle, size: Self.textSize, room: room)
        body = CardLines(body: content.body, size: Self.textSize, room: room, most: lines)
        let rows = Double(1 + subtitle.count + body.count)
        textHeight = rows * Self.lineHeight + (label == nil ? 0 : Self.labelHeight) + (stacked > 0 ? 18 : 0)
        cardHeight = 2 * Self.padding + max(textHeight, Theme.iconSize)
    }

    private static let textX = padding + PictureTheme.iconSize + 10

    var height: Double { cardHeight + (stacked > 0 ? (stacked > 1 ? 2 : 1) * Self.stackEdge : 0) }

    func draw(on canvas: inout SVGCanvas, x: Double, y: Double) {
        let frame = PictureFrame(x: x, y: y, width: width, height: cardHeight)
        for depth in stride(from: stacked > 1 ? 2 : stacked > 0 ? 1 : 0, to: 0, by: -1) {
            drawEdge(on: &canvas, of: frame, depth: Double(depth))
        }
        canvas.titled("\(card.app) \(card.notification.identifier)") { canvas in
            canvas.rectangle(frame, radius: Theme.cardRadius, .card)
            let left = x + Self.padding
            let top = frame.midY - Theme.iconSize / 2
            if let sender = card.traits.sender {
                // The person, and the app's icon at the lower right of it.
                if let image = card.traits.senderImage {
                    canvas.avatar(image: image, x: left, y: top, size: Theme.iconSize)
                } else {
                    canvas.avatar(of: sender, x: left, y: top, size: Theme.iconSize)
                }
                let size = Theme.iconSize * 0.42
                canvas.icon(
                    of: card.app, x: left + Theme.iconSize - size + 3, y: top + Theme.iconSize - size + 3, size: size)
            } else {
                canvas.icon(of: card.app, x: left, y: top, size: Theme.iconSize)
            }
            canvas.clipped(to: frame) { drawTexts(on: &$0, in: frame) }
        }
    }

    /// The lower edge of a card behind it.
    private func drawEdge(on canvas: inout SVGCanvas, of frame: PictureFrame, depth: Double) {
        let inset = 12 * depth
        let top = frame.maxY - 2 * Theme.cardRadius + Self.stackEdge * depth
        let visible = PictureFrame(
            x: frame.x, y: frame.maxY + Self.stackEdge * (depth - 1), width: frame.width, height: Self.stackEdge)
        canvas.clipped(to: visible) { canvas in
            canvas.rectangle(
                PictureFrame(x: frame.x + inset, y: top, width: frame.width - 2 * inset, height: 2 * Theme.cardRadius),
                radius: Theme.cardRadius, .behind)
        }
    }

    private func drawTexts(on canvas: inout SVGCanvas, in frame: PictureFrame) {
        let left = frame.x + Self.textX
        let right = frame.maxX - Self.padding
        var y = frame.midY - textHeight / 2
        if let label {
            canvas.text(label, x: left, y: y + 11, .init(11, .time, weight: 600, spacing: 0.3))
            y += Self.labelHeight
        }
        canvas.text(time, x: right, y: frame.y + Self.padding + 14, .init(13, .time, anchor: .end))
        let timeRoom = TextLayout.width(time, size: 13) + 8
        let pictureRoom = card.traits.hasPicture ? Self.pictureSize + 8 : 0
        let heading = SVGCanvas.Lettering(Self.textSize, .title, weight: 600)
        title.draw(from: left, to: right - timeRoom, y: &y, lineHeight: Self.lineHeight, heading, on: &canvas)
        subtitle.draw(from: left, to: right - pictureRoom, y: &y, lineHeight: Self.lineHeight, heading, on: &canvas)
        body.draw(
            from: left, to: right - pictureRoom, y: &y, lineHeight: Self.lineHeight, .init(Self.textSize, .body),
            on: &canvas)
        if stacked > 0 {
            canvas.text(
                PictureText.counted(stacked, "more notification"), x: left, y: y + 14, .init(13, .time))
        }
        if card.traits.hasPicture {
            PictureTile.draw(
                PictureFrame(
                    x: right - Self.pictureSize, y: frame.maxY - Self.padding - Self.pictureSize + 4,
                    width: Self.pictureSize, height: Self.pictureSize), on: &canvas)
        }
    }
}

/// Lines of a card, which begin where their language does.
struct CardLines {
    private let lines: [String]
    private let isRightToLeft: Bool

    /// - Parameter text: the text whose direction the lines have; nil for that of the first line.
    init(_ lines: [String], directedAs text: String? = nil) {
        self.lines = lines
        isRightToLeft = PictureText.isRightToLeft(text ?? lines.first ?? "")
    }

    /// A bold line; none for a text without anything to draw.
    init(heading: String?, size: Double, room: Double) {
        let line = TextLayout.shortened(heading ?? "", size: size, room: room, isBold: true)
        self.init(line.isEmpty ? [] : [line])
    }

    /// Lines of a body; none for an empty one.
    init(body: String?, size: Double, room: Double, most: Int) {
        let text = body ?? ""
        let lines = text.isEmpty ? [] : TextLayout.lines(text, size: size, room: room, most: most)
        self.init(lines, directedAs: PictureText.line(text, most: 80))
    }

    var count: Int { lines.count }

    /// Draws the lines between two margins from `y` down, and moves `y` below them.
    func draw(
        from left: Double, to right: Double, y: inout Double, lineHeight: Double, _ lettering: SVGCanvas.Lettering,
        on canvas: inout SVGCanvas
    ) {
        for line in lines {
            canvas.text(
                line, x: isRightToLeft ? right : left, y: y + 15, lettering, isRightToLeft: isRightToLeft)
            y += lineHeight
        }
    }
}

/// Stands for an attached picture, which the store does not have.
enum PictureTile {
    static func draw(_ frame: PictureFrame, on canvas: inout SVGCanvas) {
        canvas.clipped(to: frame, radius: 7) { canvas in
            canvas.rectangle(frame, .tile)
            let scale = frame.width / 38
            canvas.circle(x: frame.x + 26 * scale, y: frame.y + 12 * scale, radius: 4 * scale, .glyph)
            canvas.path("M0 38V27l11-11 9 9 6-6 12 12v7z", x: frame.x, y: frame.y, scale: scale, .glyph)
        }
    }
}

/// A Live Activity on the lock screen. Its app draws it, from values that the payload only names; so the card has the names and values.
struct ActivityCard: LockScreenCard {
    private static let padding = 14.0
    private static let mostValues = 6
    private static let columns = 3
    private static let rowHeight = 42.0

    private let activity: LiveActivity
    private let width: Double
    private let values: [(name: String, value: String)]
    private let heading: String
    private let state: String

    init(_ activity: LiveActivity, width: Double) {
        self.activity = activity
        self.width = width
        let attributes = activity.attributes.map(FlatObject.members) ?? []
        let content = activity.contentState.map(FlatObject.members) ?? []
        // `home: Elbe 04` and `home: 2` are about the same thing: the name of a value is what the attribute says.
        let names = Dictionary(attributes.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        let others = attributes.filter { attribute in !content.contains { $0.name == attribute.name } }
        values = Array((content.map { (names[$0.name] ?? $0.name, $0.value) } + others).prefix(Self.mostValues))
        heading = activity.alertTitle ?? activity.attributesType ?? PictureText.appName(activity.app)
        switch activity.state {
        case .active: state = "Live"
        case .stale: state = "Stale"
        case .ended: state = "Ended"
        case .dismissed: state = "Dismissed"
        }
    }

    private var rows: Int { (values.count + Self.columns - 1) / Self.columns }

    var height: Double { 2 * Self.padding + 26 + (rows > 0 ? 10 + Double(rows) * Self.rowHeight : 0) }

    func draw(on canvas: inout SVGCanvas, x: Double, y: Double) {
        let frame = PictureFrame(x: x, y: y, width: width, height: height)
        canvas.titled("\(activity.app) \(activity.identifier), \(activity.state.rawValue)") { canvas in
            canvas.rectangle(frame, radius: PictureTheme.cardRadius, .activity)
            canvas.clipped(to: frame) { drawContents(on: &$0, in: frame) }
        }
    }

    private func drawContents(on canvas: inout SVGCanvas, in frame: PictureFrame) {
        let left = frame.x + Self.padding
        let right = frame.maxX - Self.padding
        let top = frame.y + Self.padding
        canvas.icon(of: activity.app, x: left, y: top, size: 26)
        let stateRoom = TextLayout.width(state, size: 13, isBold: true) + 16
        canvas.text(
            TextLayout.shortened(heading, size: 15, room: right - left - 36 - stateRoom, isBold: true), x: left + 36,
            y: top + 18.5, .init(15, .activityInk, weight: 600))
        canvas.text(state, x: right, y: top + 18, .init(13, .activityDim, weight: 600, anchor: .end))
        let column = (right - left) / Double(Self.columns)
        for (position, value) in values.enumerated() {
            let x = left + Double(position % Self.columns) * column
            let y = top + 36 + Double(position / Self.columns) * Self.rowHeight
            canvas.text(
                TextLayout.shortened(value.name, size: 12, room: column - 8), x: x, y: y + 12, .init(12, .activityDim))
            // A score is large; a long value gets smaller before it is cut.
            let room = column - 8
            let size = TextLayout.width(PictureText.line(value.value), size: 20, isBold: true) <= room ? 20.0 : 14
            canvas.text(
                TextLayout.shortened(value.value, size: size, room: room, isBold: true), x: x, y: y + 34,
                .init(size, .activityInk, weight: 600))
        }
    }
}

/// The members of a JSON object whose values are short.
enum FlatObject {
    /// Names and values in order, without objects and arrays. Empty for a text that is no object.
    static func members(_ text: String) -> [(name: String, value: String)] {
        BorrowedText.with(text) { $0.withJSON(members(of:)) } ?? []
    }

    private static func members(of object: JSONView) -> [(name: String, value: String)] {
        guard object.isObject else { return [] }
        return object.members.compactMap { key, value in
            switch value.kind {
            case .object, .array, .null: nil
            default: (key.string, value.string?.string ?? value.text.string)
            }
        }
    }
}
