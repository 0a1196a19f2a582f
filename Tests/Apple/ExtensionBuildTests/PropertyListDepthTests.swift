import ExtensionBuild
import ExtensionPrograms
import Foundation
import PushSystem
import Testing

/// A property list that goes too deep is refused before Foundation, which would run out of stack, reads it.
struct PropertyListDepthTests {
    private func list(_ levels: Int, _ open: String, _ close: String, closed: Bool = true) -> String {
        let opening = String(repeating: open, count: levels - 1)
        let closing = closed ? String(repeating: close, count: levels - 1) : ""
        return "<plist version=\"1.0\"><dict><key>k</key>\(opening)\(closing)" + (closed ? "</dict></plist>" : "")
    }

    private func message(_ text: [UInt8]) -> String? {
        do throws(PlainError) {
            _ = try PropertyListFile(text, path: "Info.plist")
            return nil
        } catch {
            return error.message
        }
    }

    private func message(_ text: String) -> String? { message(Array(text.utf8)) }

    private static let tooDeep = "Info.plist: arrays and dictionaries more than 64 deep"
    private static let forms = [
        ("<array>", "</array>"), ("<dict><key>k</key>", "</dict>"), ("<array a=\"b\">", "</array >"),
        ("<array><!-- </array> -->", "</array>"), ("<array><?x </array></array>?>", "</array>"),
    ]

    @Test(arguments: forms) func `one level over the limit is refused`(_ open: String, _ close: String) {
        #expect(message(list(65, open, close)) == Self.tooDeep)
        #expect(message(list(64, open, close)) != Self.tooDeep)
    }

    @Test(arguments: [100, 65, 200_000]) func `endless levels are refused`(_ levels: Int) {
        for (open, close) in Self.forms { #expect(message(list(levels, open, close, closed: false)) != nil) }
    }

    @Test func `the deepest accepted list is read completely`() throws {
        let file = try PropertyListFile(Array(list(64, "<array>", "</array>").utf8), path: "Info.plist")
        var depth = 1
        var value = try #require(file.members["k"])
        while case .array(let elements) = value {
            depth += 1
            guard let first = elements.first else { break }
            value = first
        }
        #expect(depth == 64)
    }

    @Test func `siblings count as one level`() {
        let flat = String(repeating: "<array><dict/></array><dict></dict><array/>", count: 2000)
        #expect(message("<plist><dict><key>k</key><array>\(flat)</array></dict></plist>") == nil)
        // Element names that only begin like containers do not count, nor does text in comments or strings.
        let words = String(repeating: "<string>&lt;array&gt;</string><!-- <array> -->", count: 2000)
        #expect(message("<plist><dict><key>k</key><array>\(words)</array></dict></plist>") == nil)
    }

    @Test func `a list in UTF-16 has the same limit`() {
        for bytes in [true, false] {
            var text: [UInt8] = bytes ? [0xFE, 0xFF] : [0xFF, 0xFE]
            for unit in list(200_000, "<array>", "</array>", closed: false).utf16 {
                text += bytes ? [UInt8(unit >> 8), UInt8(unit & 0xFF)] : [UInt8(unit & 0xFF), UInt8(unit >> 8)]
            }
            #expect(message(text) == Self.tooDeep)
        }
    }

    @Test func `a strings table has the same limit`() throws {
        let deep = Array(list(65, "<array>", "</array>").utf8)
        #expect(throws: PlainError.self) { try LocalizedTexts.read(deep, path: "Localizable.strings") }
        let texts = try LocalizedTexts.read(Array("a = \"<array>\";".utf8), path: "Localizable.strings")
        #expect(texts == ["a": "<array>"])
    }
}

/// Characters that Foundation would crash on are refused.
struct PropertyListCharacterTests {
    private static let elements = ["integer", "string", "real", "date", "key", "data", "true"]
    private static let bytes: [[UInt8]] = [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80]]

    @Test(arguments: elements, bytes)
    func `invalid UTF-8 is refused in every element`(_ element: String, _ bytes: [UInt8]) {
        for digits in ["", "1"] {
            let text =
                Array("<?xml version=\"1.0\"?><plist><dict><key>k</key><\(element)>\(digits)".utf8) + bytes
                + Array("1</\(element)></dict></plist>".utf8)
            #expect {
                try PropertyListFile(text, path: "Info.plist")
            } throws: { error in
                (error as? PlainError)?.message == "Info.plist: not valid UTF-8; save the file as UTF-8"
            }
        }
    }

    @Test func `a bundle whose Info plist is not UTF-8 is read by its name`() throws {
        let workshop = try Workshop()
        let list = Array("<plist><dict><key>CFBundleExecutable</key><integer>".utf8) + [0xFF] + Array("</integer>".utf8)
        try workshop.write(list + Array("</dict></plist>".utf8), to: "Service.appex/Info.plist")
        try workshop.write("#!/bin/sh\n", to: "Service.appex/Service")
        let service = workshop.path("Service.appex/Service")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: service)
        let program = try ExtensionProgram(workshop.path("Service.appex"), language: nil, command: "pushpipe")
        #expect(program.executable == service)
    }
}

/// A binary list that is not a tree is refused.
struct PropertyListBudgetTests {
    /// Objects by number; the first one is a dictionary of object 1, the text `a`, and object 2.
    private func list(_ others: [[UInt8]]) -> [UInt8] {
        let objects = [[0xD1, 1, 2], Array("Qa".utf8)] + others
        var text = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets.append(UInt8(text.count))
            text += object
        }
        let table = UInt8(text.count)
        let zeroes = { (count: Int) in Array(repeating: UInt8(0), count: count) }
        return text + offsets + zeroes(6) + [1, 1] + zeroes(7) + [UInt8(objects.count)] + zeroes(15) + [table]
    }

    private func isRead(_ others: [[UInt8]]) -> Bool {
        (try? PropertyListFile(list(others), path: "Info.plist")) != nil
    }

    @Test func `arrays that contain themselves are refused`() {
        #expect(isRead([[0xA1, 3], [0x09]]))
        #expect(!isRead([[0xA1, 2]]))
        #expect(!isRead([[0xA2, 2, 2]]))
        #expect(!isRead([[0xA1, 3], [0xA1, 2]]))
    }

    @Test func `arrays that share elements are refused when they expand to more values than the file has bytes`() {
        // Each contains the next one twice: 2, 4, 8 … values.
        func shared(_ levels: UInt8) -> [[UInt8]] {
            let arrays: [[UInt8]] = (0..<levels).map { [0xA2, 3 + $0, 3 + $0] }
            return arrays + [[0x09]]
        }
        #expect(isRead(shared(3)))
        #expect(!isRead(shared(40)))
    }

    @Test func `a string that starts with a control character survives a round trip`() throws {
        for scalar in (0..<0x20).compactMap({ Unicode.Scalar($0) }) {
            let texts = ["\(scalar)": "\(scalar)a", "a\(scalar)": "\(scalar)"]
            #expect(try LocalizedTexts.read(StringsText.table(texts), path: "Localizable.strings") == texts)
        }
    }
}
