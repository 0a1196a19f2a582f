package import PushDevices
import PushModel
package import ScreenPictures

/// Draws a time line: a row for each notification, a bar while it is on the screen, and a gap where it flickers.
package enum TimelinePicture {
    private static let margin = 28.0
    private static let labelWidth = 190.0
    private static let columnWidth = 70.0
    private static let axisHeight = 50.0
    private static let headingHeight = 46.0
    private static let laneHeight = 36.0
    private static let barHeight = 20.0
    private static let legendHeight = 48.0
    private static let leastColumns = 8

    /// Draws a journal. The same journal gives the same bytes.
    package static func draw(_ timeline: Timeline) -> Picture {
        var canvas = SVGCanvas()
        let sections = sections(timeline)
        let columns = Double(max(timeline.columns.count, leastColumns))
        let width = 2 * margin + labelWidth + columns * columnWidth + 24
        let rows = sections.reduce(0) { $0 + headingHeight + Double($1.lanes.count) * laneHeight }
        let height = 2 * margin + axisHeight + max(rows, 60) + legendHeight
        canvas.rectangle(PictureFrame(x: 0, y: 0, width: width, height: height), radius: 24, .page)
        canvas.group(fonts: PictureTheme.appleFonts) { canvas in
            drawAxis(of: timeline, height: axisHeight + rows, on: &canvas)
            var y = margin + axisHeight
            for section in sections {
                drawHeading(of: section, y: y, on: &canvas)
                y += headingHeight
                for lane in section.lanes {
                    drawLane(lane, of: timeline, y: y, width: width, on: &canvas)
                    y += laneHeight
                }
            }
            if sections.isEmpty {
                canvas.text("The journal is empty", x: width / 2, y: y + 30, .init(17, .dim, anchor: .middle))
            }
            drawLegend(of: timeline, y: height - margin - 12, on: &canvas)
        }
        return canvas.picture(
            width: width, height: height,
            title: "Time line of \(PictureText.counted(timeline.countOfNotifications, "notification"))",
            description: description(of: timeline))
    }

    /// The rows of one app on one device.
    private struct Section {
        var device: String
        var app: String
        var lanes: [Timeline.Lane]
    }

    private static func sections(_ timeline: Timeline) -> [Section] {
        var sections: [Section] = []
        for lane in timeline.lanes {
            if let position = sections.firstIndex(where: { $0.device == lane.device && $0.app == lane.app }) {
                sections[position].lanes.append(lane)
            } else {
                sections.append(Section(device: lane.device, app: lane.app, lanes: [lane]))
            }
        }
        return sections
    }

    private static func x(_ column: Int) -> Double { margin + labelWidth + (Double(column) + 0.35) * columnWidth }

    // MARK: - Parts

    /// Times above, with their milliseconds in a second line.
    private static func drawAxis(of timeline: Timeline, height: Double, on canvas: inout SVGCanvas) {
        for (number, column) in timeline.columns.enumerated() {
            let x = x(number)
            canvas.line(
                from: (x, margin + 38), to: (x, margin + height), .rule, width: 1, dashes: "1 4")
            let time = PictureClock.exactTime(column.time)
            canvas.text(
                String(time.prefix(8)), x: x, y: margin + 14, .init(11.5, .ink, weight: 500, anchor: .middle))
            canvas.text(String(time.dropFirst(8)), x: x, y: margin + 30, .init(10.5, .dim, anchor: .middle))
        }
        if timeline.entriesLeftOut > 0 {
            canvas.text(
                "\(PictureText.grouped(timeline.entriesLeftOut)) earlier", x: margin, y: margin + 14, .init(11.5, .dim))
        }
    }

    private static func drawHeading(of section: Section, y: Double, on canvas: inout SVGCanvas) {
        canvas.icon(of: section.app, x: margin, y: y + 12, size: 24)
        let app = section.app.isEmpty ? "App" : PictureText.appName(section.app)
        // Wider than the labels of lanes, as nothing stands beside it.
        let name = TextLayout.shortened(app, size: 15, room: 2 * labelWidth)
        canvas.text(name, x: margin + 34, y: y + 24, .init(15, .ink, weight: 600))
        canvas.text(PictureText.deviceName(section.device), x: margin + 34, y: y + 38, .init(10.5, .dim))
    }

    private static func drawLane(
        _ lane: Timeline.Lane, of timeline: Timeline, y: Double, width: Double, on canvas: inout SVGCanvas
    ) {
        let left = margin + labelWidth
        let right = width - margin
        let middle = y + laneHeight / 2
        let bar = middle - barHeight / 2
        var names: [String] = []
        for stay in lane.stays where names.last != stay.identifier { names.append(stay.identifier) }
        let label = names.isEmpty ? "app" : names.joined(separator: ", ")
        canvas.titled(label) { canvas in
            canvas.text(
                TextLayout.shortened(label, size: 12.5, room: labelWidth - 16), x: margin, y: middle + 4.5,
                .init(12.5, names.isEmpty ? .dim : .ink))
            canvas.rectangle(
                PictureFrame(x: left, y: middle - 1, width: right - left, height: 2), radius: 1, .lane)
            for gap in lane.gaps { drawGap(gap, of: timeline, y: bar, on: &canvas) }
            for stay in lane.stays { drawStay(stay, y: bar, left: left, right: right, on: &canvas) }
            // Below the bar, where there is one.
            let below = middle + (lane.stays.isEmpty ? 15 : barHeight / 2 + 9.5)
            for mark in lane.marks {
                canvas.circle(x: x(mark.column), y: middle, radius: 4.5, .other)
                canvas.text(
                    TextLayout.shortened(mark.name, size: 9.5, room: columnWidth), x: x(mark.column),
                    y: below, .init(9.5, .dim, anchor: .middle))
            }
        }
    }

    private static func drawStay(
        _ stay: Timeline.Stay, y: Double, left: Double, right: Double, on canvas: inout SVGCanvas
    ) {
        let start = stay.start.map { x($0) } ?? left
        let end = stay.end.map { x($0) } ?? right
        canvas.rectangle(
            PictureFrame(x: start, y: y, width: max(end - start, 5), height: barHeight), radius: 5, .shown)
        if stay.start != nil {
            canvas.circle(x: start + 8, y: y + barHeight / 2, radius: 3.2, .badgeInk)
        }
        for change in stay.changes {
            canvas.rectangle(
                PictureFrame(x: x(change) - 3, y: y - 3, width: 6, height: barHeight + 6), radius: 3, .page)
            canvas.rectangle(
                PictureFrame(x: x(change) - 2, y: y - 3, width: 4, height: barHeight + 6), radius: 2, .replaced)
        }
        if let ending = stay.ending, ending != .removed, let column = stay.end {
            canvas.text("\(ending.name)", x: x(column) + 5, y: y + barHeight / 2 + 4, .init(10.5, .dim))
        }
    }

    /// The screen is empty from the removal until the next notification.
    private static func drawGap(
        _ gap: (from: Int, to: Int), of timeline: Timeline, y: Double, on canvas: inout SVGCanvas
    ) {
        let frame = PictureFrame(x: x(gap.from), y: y, width: x(gap.to) - x(gap.from), height: barHeight).inset(2, 0)
        canvas.rectangle(frame, radius: 5, .page)
        canvas.rectangle(frame, radius: 5, nil, stroke: .flicker, width: 1.6, dashes: "4 3")
        let length = elapsed(from: timeline.columns[gap.from].time, to: timeline.columns[gap.to].time)
        canvas.text(
            length, x: frame.midX, y: frame.midY + 4, .init(11, .flicker, weight: 600, anchor: .middle))
    }

    private static func drawLegend(of timeline: Timeline, y: Double, on canvas: inout SVGCanvas) {
        var x = margin
        func add(_ text: String, on canvas: inout SVGCanvas, _ draw: (inout SVGCanvas, PictureFrame) -> Void) {
            draw(&canvas, PictureFrame(x: x, y: y - 11, width: 26, height: 14))
            canvas.text(text, x: x + 34, y: y, .init(12, .dim))
            x += 34 + TextLayout.width(text, size: 12) + 26
        }
        add("on the screen", on: &canvas) { $0.rectangle($1, radius: 4, .shown) }
        if timeline.lanes.contains(where: { $0.stays.contains { !$0.changes.isEmpty } }) {
            add("replaced in place", on: &canvas) { canvas, frame in
                canvas.rectangle(frame, radius: 4, .shown)
                canvas.rectangle(
                    PictureFrame(x: frame.midX - 2, y: frame.y - 2, width: 4, height: frame.height + 4), radius: 2,
                    .replaced)
            }
        }
        let gaps = timeline.lanes.reduce(0) { $0 + $1.gaps.count }
        if gaps > 0 {
            add("removed and posted again: \(PictureText.counted(gaps, "flicker"))", on: &canvas) {
                $0.rectangle($1, radius: 4, nil, stroke: .flicker, width: 1.6, dashes: "4 3")
            }
        }
        if timeline.lanesLeftOut > 0 {
            canvas.text("+ \(PictureText.counted(timeline.lanesLeftOut, "earlier row"))", x: x, y: y, .init(12, .dim))
        }
    }

    // MARK: - Texts

    /// `150 ms`, `4.2 s`, `12 min`, `3 h`, `2 d`.
    static func elapsed(from start: Int64, to end: Int64) -> String {
        let (difference, overflows) = end.subtractingReportingOverflow(start)
        if overflows || difference < 0 { return "0 ms" }
        if difference < 1000 { return "\(difference) ms" }
        if difference < 60_000 {
            return difference % 1000 < 100
                ? "\(difference / 1000) s" : "\(difference / 1000).\(difference % 1000 / 100) s"
        }
        if difference < 3_600_000 { return "\(difference / 60_000) min" }
        return difference < 86_400_000 ? "\(difference / 3_600_000) h" : "\(difference / 86_400_000) d"
    }

    private static func description(of timeline: Timeline) -> String {
        timeline.lanes.map { lane in
            let app = lane.app.isEmpty ? "App" : PictureText.appName(lane.app)
            let stays = lane.stays.map { stay in
                let start = stay.start.map { PictureClock.exactTime(timeline.columns[$0].time) } ?? "earlier"
                let end = stay.end.map { "until \(PictureClock.exactTime(timeline.columns[$0].time))" } ?? "until now"
                let changes = stay.changes.isEmpty ? "" : ", \(PictureText.counted(stay.changes.count, "replacement"))"
                return "\(PictureText.line(stay.identifier)) from \(start) \(end)\(changes)"
            }
            let marks = lane.marks.map {
                "\(PictureText.line($0.name)) at \(PictureClock.exactTime(timeline.columns[$0.column].time))"
            }
            return "\(app) on \(PictureText.deviceName(lane.device)): \((stays + marks).joined(separator: "; "))"
        }.joined(separator: "\n")
    }
}

/// A journal by notification: when each was on the screen, and where it was taken away and posted again.
package struct Timeline: Sendable {
    /// The most instants in a picture; the newest are drawn.
    static let mostColumns = 40
    static let mostLanes = 30

    /// A moment at which something happened. Two entries at the same time are two columns if one follows from the other.
    struct Column: Sendable, Equatable {
        /// Milliseconds since the epoch.
        var time: Int64
        var seq: UInt64
    }

    /// The time during which a notification was on the screen.
    struct Stay: Sendable, Equatable {
        var identifier: String
        /// The column of its first entry; nil if it was there before.
        var start: Int?
        /// The column in which it went; nil if it is still there.
        var end: Int?
        /// How it went.
        var ending: JournalKind?
        /// Columns in which its content was replaced in place.
        var changes: [Int] = []
    }

    /// Something else that was journaled.
    struct Mark: Sendable, Equatable {
        var column: Int
        /// The name of its kind; for the number on an icon, with the number.
        var name: String

        init(_ entry: JournalEntry, in column: Int) {
            self.column = column
            name = entry.kind == .badgeSet ? "\(entry.kind.name) \(entry.identifier)" : "\(entry.kind.name)"
        }
    }

    /// A row: a notification, and those that were posted in its place.
    struct Lane: Sendable, Equatable {
        var device: String
        var app: String
        var stays: [Stay] = []
        /// What else was journaled about it.
        var marks: [Mark] = []

        /// The gaps between two stays: where the notification was gone until the next one appeared.
        var gaps: [(from: Int, to: Int)] {
            zip(stays, stays.dropFirst()).compactMap { left, right in
                left.end.flatMap { end in right.start.map { (end, $0) } }
            }
        }
    }

    /// The rows of notifications, without those of what else happened to an app.
    var countOfNotifications: Int { lanes.count { !$0.stays.isEmpty } }

    private(set) var columns: [Column] = []
    private(set) var lanes: [Lane] = []
    /// Entries that are older than the first column.
    private(set) var entriesLeftOut = 0
    /// Rows beyond `mostLanes`.
    private(set) var lanesLeftOut = 0

    /// Reads the journal and keeps its newest entries.
    package init(_ store: any NotificationStore, device: String? = nil) throws {
        var newest: [JournalEntry] = []
        var count = 0
        // Each column has an entry at least.
        try store.forEachEvent(device: device) { entry in
            count += 1
            newest.append(entry)
            if newest.count >= 8 * Self.mostColumns { newest.removeFirst(newest.count - 4 * Self.mostColumns) }
        }
        self.init(newest, before: count - newest.count)
    }

    /// - Parameters:
    ///   - entries: of a journal, oldest first.
    ///   - before: how many there were before them.
    init(_ entries: [JournalEntry], before: Int = 0) {
        var entries = entries[...]
        repeat {
            columns = []
            lanes = []
            for entry in entries { add(entry) }
            if columns.count > Self.mostColumns {
                // The entries of the surplus columns, one each at least, are dropped, and the rest is read again.
                entries = entries.dropFirst(columns.count - Self.mostColumns)
            }
        } while columns.count > Self.mostColumns
        entriesLeftOut = before + entries.startIndex
        lanesLeftOut = max(lanes.count - Self.mostLanes, 0)
        lanes = Array(lanes.suffix(Self.mostLanes))
        if lanesLeftOut > 0 { dropUnusedColumns() }
    }

    /// Leaves out the instants at which nothing happened in the rows that are left.
    private mutating func dropUnusedColumns() {
        let used = columns.indices.filter { column in lanes.indices.contains { uses($0, column) } }
        let numbers = Dictionary(uniqueKeysWithValues: used.enumerated().map { ($1, $0) })
        columns = used.map { columns[$0] }
        for lane in lanes.indices {
            lanes[lane].marks = lanes[lane].marks.compactMap { mark in
                var mark = mark
                guard let column = numbers[mark.column] else { return nil }
                mark.column = column
                return mark
            }
            for stay in lanes[lane].stays.indices {
                let before = lanes[lane].stays[stay]
                lanes[lane].stays[stay].start = before.start.flatMap { numbers[$0] }
                lanes[lane].stays[stay].end = before.end.flatMap { numbers[$0] }
                lanes[lane].stays[stay].changes = before.changes.compactMap { numbers[$0] }
            }
        }
    }

    // MARK: - Reading

    private mutating func add(_ entry: JournalEntry) {
        let known = lanes.lastIndex { lane in
            lane.device == entry.device && lane.app == entry.app
                && lane.stays.contains { $0.identifier == entry.identifier && $0.end == nil }
        }
        switch entry.kind {
        // What became of it is in the next entry.
        case .posted: break
        case .delivered, .started:
            let lane = known ?? continued(entry) ?? newLane(entry)
            let column = column(entry, in: lane)
            lanes[lane].stays.append(Stay(identifier: entry.identifier, start: column))
        case .replaced, .updated:
            let lane = known ?? newLane(entry, isOlder: true)
            let column = column(entry, in: lane)
            lanes[lane].stays[lanes[lane].stays.count - 1].changes.append(column)
        case .removed, .cleared, .withdrawn, .dismissed, .ended, .tapped:
            let lane = known ?? newLane(entry, isOlder: true)
            let column = column(entry, in: lane)
            guard let stay = lanes[lane].stays.lastIndex(where: { $0.identifier == entry.identifier }) else { return }
            lanes[lane].stays[stay].end = column
            lanes[lane].stays[stay].ending = entry.kind
        default:
            let other = lanes.lastIndex {
                $0.device == entry.device && $0.app == entry.app && $0.stays.isEmpty
            }
            let lane = known ?? other ?? newLane(entry)
            let column = column(entry, in: lane)
            lanes[lane].marks.append(Mark(entry, in: column))
        }
    }

    /// The row of a notification that the same record has removed: the new one takes its place.
    private func continued(_ entry: JournalEntry) -> Int? {
        lanes.lastIndex { lane in
            guard lane.device == entry.device, lane.app == entry.app, let last = lane.stays.last, let end = last.end
            else { return false }
            return last.ending == .removed && columns[end].seq == entry.seq
        }
    }

    private mutating func newLane(_ entry: JournalEntry, isOlder: Bool = false) -> Int {
        lanes.append(Lane(device: entry.device, app: entry.app))
        if isOlder { lanes[lanes.count - 1].stays.append(Stay(identifier: entry.identifier)) }
        return lanes.count - 1
    }

    /// The column of an entry: the last one, unless it has another time or the row has something in it.
    private mutating func column(_ entry: JournalEntry, in lane: Int) -> Int {
        let column = Column(time: entry.at, seq: entry.seq)
        if let last = columns.last, last.time == column.time, !uses(lane, columns.count - 1) {
            return columns.count - 1
        }
        columns.append(column)
        return columns.count - 1
    }

    private func uses(_ lane: Int, _ column: Int) -> Bool {
        lanes[lane].marks.contains { $0.column == column }
            || lanes[lane].stays.contains { $0.start == column || $0.end == column || $0.changes.contains(column) }
    }
}
