package import PushLint
package import ScreenPictures

/// Draws where the bytes of messages go: a bar against the budget of each, and a tree map of its members.
package enum BudgetPicture {
    /// The most messages in a picture.
    package static let mostMessages = 8

    private static let margin = 28.0
    private static let width = 900.0
    private static let headingHeight = 66.0
    private static let mapHeight = 300.0
    private static let gap = 32.0
    private static let nameHeight = 20.0

    /// Draws messages. The same messages give the same bytes.
    ///
    /// - Parameter leftOut: messages that were measured and are not drawn.
    package static func draw(_ messages: [MeasuredMessage], leftOut: Int = 0) -> Picture {
        var canvas = SVGCanvas()
        let shown = messages.prefix(mostMessages)
        let leftOut = leftOut + messages.count - shown.count
        let each = headingHeight + mapHeight
        let height =
            2 * margin + Double(shown.count) * (each + gap) - (shown.isEmpty ? 0 : gap) + (leftOut > 0 ? 40 : 0)
        let total = width + 2 * margin
        canvas.rectangle(PictureFrame(x: 0, y: 0, width: total, height: height), radius: 24, .page)
        canvas.group(fonts: PictureTheme.appleFonts) { canvas in
            for (number, message) in shown.enumerated() {
                let y = margin + Double(number) * (each + gap)
                drawHeading(of: message, y: y, on: &canvas)
                let frame = PictureFrame(x: margin, y: y + headingHeight, width: width, height: mapHeight)
                draw(BudgetTree(message.report), in: frame, on: &canvas)
            }
            if leftOut > 0 {
                canvas.text(
                    "+ \(PictureText.grouped(leftOut)) more", x: total / 2, y: height - margin,
                    .init(15, .dim, weight: 600, anchor: .middle))
            }
        }
        return canvas.picture(
            width: total, height: height, title: "Where the bytes of \(shown.count == 1 ? "a message" : "messages") go",
            description: shown.map(description).joined(separator: "\n"))
    }

    /// The place, the sum, and a bar against the limit.
    private static func drawHeading(of message: MeasuredMessage, y: Double, on canvas: inout SVGCanvas) {
        let report = message.report
        let right = margin + width
        let target = report.target.map { ", target \($0)" } ?? ""
        let sum =
            "\(PictureText.grouped(report.bytes)) of \(PictureText.grouped(report.limit)) bytes, "
            + (report.left < 0
                ? "\(PictureText.grouped(-report.left)) too many" : "\(PictureText.grouped(report.left)) left")
        let room = width - TextLayout.width(sum, size: 16, isBold: true) - 20
        canvas.text(
            TextLayout.shortened("\(message.file):\(message.line)\(target)", size: 16, room: room, isBold: true),
            x: margin,
            y: y + 18, .init(16, .ink, weight: 600))
        canvas.text(
            sum, x: right, y: y + 18, .init(16, report.left < 0 ? .flicker : .ink, weight: 600, anchor: .end))
        let most = Double(max(report.bytes, report.limit, 1))
        let used = Double(report.bytes) / most * width
        let limit = Double(report.limit) / most * width
        canvas.rectangle(PictureFrame(x: margin, y: y + 34, width: width, height: 10), radius: 5, .free)
        canvas.rectangle(
            PictureFrame(x: margin, y: y + 34, width: min(used, limit), height: 10), radius: 5, .accent)
        if report.left < 0 {
            canvas.rectangle(
                PictureFrame(x: margin + limit, y: y + 34, width: used - limit, height: 10), radius: 5, .flicker)
        }
        canvas.rectangle(PictureFrame(x: margin + limit - 1, y: y + 30, width: 2, height: 18), .ink)
    }

    private static func draw(_ tree: BudgetTree, in frame: PictureFrame, on canvas: inout SVGCanvas) {
        let frames = TreeMap.frames(of: tree.children.map { Double($0.bytes) }, in: frame)
        for (child, frame) in zip(tree.children, frames) {
            let cell = frame.inset(1.5, 1.5)
            guard cell.width > 0.5, cell.height > 0.5 else { continue }
            let share = "\(PictureText.grouped(child.bytes)) bytes"
            canvas.titled("\(child.pointer.isEmpty ? child.name : child.pointer): \(share)") { canvas in
                canvas.rectangle(cell, radius: min(5, cell.width / 2, cell.height / 2), role(of: child))
                canvas.clipped(to: cell) { drawName(of: child, in: cell, on: &$0) }
            }
            let inner = PictureFrame(
                x: cell.x + 4, y: cell.y + nameHeight, width: cell.width - 8, height: cell.height - nameHeight - 4)
            if !child.children.isEmpty, inner.width > 24, inner.height > 16 { draw(child, in: inner, on: &canvas) }
        }
    }

    /// A name and a number, as far as there is room.
    private static func drawName(of node: BudgetTree, in cell: PictureFrame, on canvas: inout SVGCanvas) {
        guard cell.width > 26, cell.height > 15 else { return }
        let role: PictureTheme.Role = node.kind == .member ? .cellInk : .dim
        let number = PictureText.grouped(node.bytes)
        let numberWidth = TextLayout.width(number, size: 12)
        let name = TextLayout.shortened(node.name, size: 12, room: cell.width - 10, isBold: true)
        canvas.text(name, x: cell.x + 6, y: cell.y + 14.5, .init(12, role, weight: 600))
        if TextLayout.width(name, size: 12, isBold: true) + numberWidth + 22 < cell.width {
            canvas.text(number, x: cell.maxX - 6, y: cell.y + 14.5, .init(12, role, anchor: .end))
        } else if node.children.isEmpty, cell.height > 32, numberWidth + 10 < cell.width {
            canvas.text(number, x: cell.x + 6, y: cell.y + 30, .init(12, role))
        }
    }

    private static func role(of node: BudgetTree) -> PictureTheme.Role {
        if node.kind != .member { return .free }
        if node.children.isEmpty { return node.depth == 0 ? .second : .third }
        return node.depth == 0 ? .first : .second
    }

    private static func description(of message: MeasuredMessage) -> String {
        let report = message.report
        let lines = report.entries.map { "\(PictureText.line($0.pointer)): \($0.bytes) bytes" }
        return (["\(PictureText.line(message.file)):\(message.line): \(report.bytes) of \(report.limit) bytes"] + lines)
            .joined(separator: "\n")
    }
}

struct BudgetTree: Sendable {
    enum Kind: Sendable {
        case member
        /// Brackets, commas and white space around the outermost members.
        case rest
    }

    var name = ""
    var pointer = ""
    var depth = 0
    var bytes: Int
    var kind = Kind.member
    var children: [BudgetTree] = []
}

extension BudgetTree {
    /// A message: its members, and what is between them.
    init(_ report: BudgetReport) {
        var entries = report.entries[...]
        self.init(bytes: report.bytes, children: Self.children(of: &entries, below: -1))
        if report.punctuation > 0 {
            children.append(BudgetTree(name: "{ , }", bytes: report.punctuation, kind: .rest))
        }
    }

    /// Takes the entries that are deeper than a depth. An entry stands before those inside of it, at most `BudgetReport.maximumDepth` deep.
    private static func children(of entries: inout ArraySlice<BudgetReport.Entry>, below depth: Int) -> [BudgetTree] {
        var children: [BudgetTree] = []
        while let entry = entries.first, entry.depth > depth {
            entries.removeFirst()
            children.append(
                BudgetTree(
                    name: entry.name, pointer: entry.pointer, depth: entry.depth, bytes: entry.bytes,
                    children: Self.children(of: &entries, below: entry.depth)))
        }
        return children
    }
}

/// Squarified tree maps: rectangles whose areas are in the proportion of weights, as close to squares as they get.
///
/// Source: Bruls, Huizing and van Wijk, "Squarified Treemaps" (2000).
enum TreeMap {
    /// A frame for each weight, in the order of the weights. O(n log n).
    ///
    /// - Parameter weights: weights that are not positive have an empty frame.
    static func frames(of weights: [Double], in area: PictureFrame) -> [PictureFrame] {
        var frames = weights.map { _ in PictureFrame(x: area.x, y: area.y, width: 0, height: 0) }
        let total = weights.reduce(0) { $0 + max($1, 0) }
        guard total > 0, area.width > 0, area.height > 0 else { return frames }
        let scale = area.width * area.height / total
        // The position breaks ties, so that the result does not depend on how `sort` treats equal weights.
        let order = weights.indices.filter { weights[$0] > 0 }
            .sorted { weights[$0] != weights[$1] ? weights[$0] > weights[$1] : $0 < $1 }
        var free = area
        var row = [Int]()
        var rowArea = 0.0
        for index in order {
            let next = weights[index] * scale
            let side = min(free.width, free.height)
            let first = row.first.map { weights[$0] * scale } ?? next
            let last = row.last.map { weights[$0] * scale } ?? next
            if !row.isEmpty, worst(first, next, rowArea + next, side) > worst(first, last, rowArea, side) {
                free = place(row, rowArea, scale, weights, in: free, &frames)
                row = []
                rowArea = 0
            }
            row.append(index)
            rowArea += next
        }
        _ = place(row, rowArea, scale, weights, in: free, &frames)
        return frames
    }

    /// The worst ratio of sides in a row along a side, of which the largest and the smallest area are given.
    private static func worst(_ largest: Double, _ smallest: Double, _ sum: Double, _ side: Double) -> Double {
        let side = side * side
        let sum = sum * sum
        guard side > 0, sum > 0, smallest > 0 else { return .infinity }
        return max(side * largest / sum, sum / (side * smallest))
    }

    /// Puts a row along the shorter side, and returns what is left.
    private static func place(
        _ row: [Int], _ rowArea: Double, _ scale: Double, _ weights: [Double], in free: PictureFrame,
        _ frames: inout [PictureFrame]
    ) -> PictureFrame {
        let isUpright = free.width >= free.height
        let side = isUpright ? free.height : free.width
        guard side > 0, rowArea > 0 else { return free }
        let depth = rowArea / side
        var offset = 0.0
        for index in row {
            let length = weights[index] * scale / depth
            frames[index] =
                isUpright
                ? PictureFrame(x: free.x, y: free.y + offset, width: depth, height: length)
                : PictureFrame(x: free.x + offset, y: free.y, width: length, height: depth)
            offset += length
        }
        return isUpright
            ? PictureFrame(x: free.x + depth, y: free.y, width: max(free.width - depth, 0), height: free.height)
            : PictureFrame(x: free.x, y: free.y + depth, width: free.width, height: max(free.height - depth, 0))
    }
}
