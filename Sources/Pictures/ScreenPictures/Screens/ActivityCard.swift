import PayloadJSON
import PushModel

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
