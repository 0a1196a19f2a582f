import Foundation
import PushDevices
import PushFraming
import PushModel
import PushPipeline
import PushSQLite
import TestSupport
import Testing

@testable import PushPictures
@testable import ScreenPictures

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// The elements of a picture, as a parser of XML finds them.
final class SVGReader: NSObject, XMLParserDelegate {
    struct Element {
        var name: String
        var attributes: [String: String]
        /// What is directly in it.
        var text = ""
        /// The sum of the `translate`s around it.
        var x = 0.0
        var y = 0.0

        func number(_ name: String) -> Double { attributes[name].flatMap(Double.init) ?? 0 }
        var classes: [String] { (attributes["class"] ?? "").split(separator: " ").map(String.init) }
        /// The frame of a rectangle, on the picture.
        var frame: PictureFrame {
            PictureFrame(x: x + number("x"), y: y + number("y"), width: number("width"), height: number("height"))
        }
    }

    private(set) var elements: [Element] = []
    private var open: [Int] = []

    /// - Throws: an error if the text is not well-formed.
    init(_ text: String) throws {
        super.init()
        let parser = XMLParser(data: Data(text.utf8))
        parser.delegate = self
        if !parser.parse() { throw parser.parserError ?? CocoaError(.fileReadCorruptFile) }
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String] = [:]
    ) {
        var element = Element(name: name, attributes: attributes)
        if let parent = open.last { (element.x, element.y) = (elements[parent].x, elements[parent].y) }
        if name == "g", let move = attributes["transform"], move.hasPrefix("translate(") {
            let numbers = move.dropFirst(10).dropLast().split(separator: " ").compactMap { Double($0) }
            if numbers.count == 2 { (element.x, element.y) = (element.x + numbers[0], element.y + numbers[1]) }
        }
        open.append(elements.count)
        elements.append(element)
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        open.removeLast()
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        if let last = open.last { elements[last].text += text }
    }

    /// The lines of text, from top to bottom of the source.
    var texts: [String] { elements.filter { $0.name == "text" }.map(\.text) }

    /// The rectangles of a class.
    func frames(_ role: PictureTheme.Role) -> [PictureFrame] {
        elements.filter { $0.name == "rect" && $0.classes.contains(role.rawValue) }.map(\.frame)
    }
}

/// What a store in memory shows after records, 1 ms apart, from a time on.
func delivered(_ records: String, at time: Int64 = 1_793_736_000_000) throws -> MemoryStore {
    let store = MemoryStore()
    try deliver(records, to: store, at: time)
    return store
}

/// What a store in a file shows after records; the name of the file is gone when this returns.
func deliveredToFile(_ records: String, at time: Int64 = 1_793_736_000_000) throws -> SQLiteStore {
    let folder = try TestFolder()
    defer { folder.remove() }
    let store = try SQLiteStore(path: folder.path("phone.db"))
    try deliver(records, to: store, at: time)
    return store
}

private func deliver(_ records: String, to store: any DeliveryStore, at time: Int64) throws {
    var configuration = PipelineConfiguration()
    configuration.clock = .fixed(milliseconds: time)
    try Pipeline(configuration, deliveringTo: store).process(records) { _ in }
}

/// An APNs request. Members of `aps` and of the alert are JSON texts.
func apns(
    _ alert: String, device: String = "ab54", app: String = "org.example.news", collapse: String? = nil,
    aps: String = ""
) -> String {
    let header = collapse.map { #","apns-collapse-id":"\#($0)""# } ?? ""
    let members = aps.isEmpty ? "" : "," + aps
    return
        #"{"device":"\#(device)","headers":{"apns-topic":"\#(app)"\#(header)},"payload":{"aps":{"alert":\#(alert)\#(members)}}}"#
        + "\n"
}

/// A JSON string.
func quoted(_ text: String) throws -> String {
    String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
}
