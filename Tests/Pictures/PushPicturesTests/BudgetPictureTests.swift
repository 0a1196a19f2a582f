import PushLint
import PushModel
import Testing

@testable import PushPictures
@testable import ScreenPictures

struct BudgetPictureTests {
    private static let area = PictureFrame(x: 10, y: 20, width: 600, height: 400)

    @Test(arguments: [
        [6.0, 6, 4, 3, 2, 2, 1], [1], [1, 1_000_000], [0, 5, 0], Array(repeating: 1, count: 256), [0.001, 0.002, 10],
    ])
    func `Areas are in the proportion of their weights, and fill the frame`(weights: [Double]) {
        let frames = TreeMap.frames(of: weights, in: Self.area)
        let total = weights.reduce(0, +)
        #expect(frames.count == weights.count)
        for (weight, frame) in zip(weights, frames) {
            let expected = weight / total * Self.area.width * Self.area.height
            #expect(abs(frame.width * frame.height - expected) <= 0.001 * max(expected, 1))
            #expect(frame.x >= Self.area.x - 0.001 && frame.maxX <= Self.area.maxX + 0.001)
            #expect(frame.y >= Self.area.y - 0.001 && frame.maxY <= Self.area.maxY + 0.001)
        }
        for (index, one) in frames.enumerated() {
            for other in frames[(index + 1)...] {
                let width = min(one.maxX, other.maxX) - max(one.x, other.x)
                let height = min(one.maxY, other.maxY) - max(one.y, other.y)
                #expect(width <= 0.001 || height <= 0.001)
            }
        }
    }

    /// The example of the paper: in a frame of 6 by 4, the first rectangles are 3 by 2.
    @Test func `Rectangles are close to squares`() {
        let frames = TreeMap.frames(
            of: [6, 6, 4, 3, 2, 2, 1], in: PictureFrame(x: 0, y: 0, width: 6, height: 4))
        #expect(frames.prefix(2).allSatisfy { abs($0.width - 3) < 0.001 && abs($0.height - 2) < 0.001 })
    }

    @Test(arguments: [[], [0.0], [-1]])
    func `Nothing is drawn for no weight`(weights: [Double]) {
        #expect(TreeMap.frames(of: weights, in: Self.area).allSatisfy { $0.width == 0 })
    }

    private func measured(_ record: String) -> [MeasuredMessage] {
        Linter().budgets(of: record).map { MeasuredMessage(file: "a<b>.json", line: 1, report: $0) }
    }

    @Test func `Members are cells, and what is between them is one`() throws {
        let picture = BudgetPicture.draw(
            measured(#"{"aps":{"alert":{"title":"T<","body":"Some text here"}},"url":"x"}"#))
        let reader = try SVGReader(picture.svg)
        let titles = reader.elements.filter { $0.name == "title" }.map(\.text)
        for pointer in ["/aps:", "/aps/alert:", "/aps/alert/body:", "/url:", "{ , }:"] {
            #expect(titles.contains { $0.hasPrefix(pointer) })
        }
        #expect(reader.texts.contains("a<b>.json:1"))
    }

    @Test func `A message over its limit says by how much`() throws {
        let record = #"{"aps":{"alert":""# + String(repeating: "x", count: 5000) + #""}}"#
        let message = try #require(measured(record).first)
        let texts = try SVGReader(BudgetPicture.draw([message]).svg).texts
        let over = message.report.bytes - message.report.limit
        #expect(texts.contains { $0.hasSuffix("\(PictureText.grouped(over)) too many") })
    }

    @Test func `At most eight messages are drawn`() throws {
        let many = Array(repeating: measured(#"{"aps":{"alert":"x"}}"#), count: 11).flatMap { $0 }
        let texts = try SVGReader(BudgetPicture.draw(many, leftOut: 5).svg).texts
        #expect(texts.contains("+ 8 more"))
    }
}
