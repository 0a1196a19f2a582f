import Foundation
import Synchronization
import TestSupport
import Testing

/// A page of the repository, as a code host shows it.
struct MarkdownPage {
    /// Relative to the package.
    let path: String
    /// Lines outside code blocks, each with its number from 1.
    let prose: [(number: Int, text: String)]

    init(_ path: String) throws {
        self.path = path
        let text = try String(contentsOf: Place.package.appendingPathComponent(path), encoding: .utf8)
        var prose: [(number: Int, text: String)] = []
        var isCode = false
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.hasPrefix("```") {
                isCode.toggle()
            } else if !isCode {
                prose.append((index + 1, String(line)))
            }
        }
        self.prose = prose
    }

    /// All pages, without hidden folders such as `.build`; those of `.github` are included.
    static let paths: [String] = {
        let root = Place.package.resolvingSymlinksInPath().path
        let walk = FileManager.default.enumerator(atPath: root)
        var paths: [String] = []
        while let path = walk?.nextObject() as? String {
            let name = (path as NSString).lastPathComponent
            if name.hasPrefix("."), name != ".github" {
                walk?.skipDescendants()
            } else if name.hasSuffix(".md") {
                paths.append(path)
            }
        }
        return paths.sorted()
    }()

    /// The anchors of its headings, made as GitHub makes them.
    var anchors: Set<String> {
        var counts: [String: Int] = [:]
        var anchors: Set<String> = []
        for line in prose {
            guard let heading = line.text.wholeMatch(of: #/#{1,6} +(.*?) *#*/#)?.1 else { continue }
            let title = heading.replacing(#/\[([^\]]*)\]\([^)]*\)/#) { $0.1 }.lowercased()
            var anchor = ""
            for character in title {
                if character == " " {
                    anchor.append("-")
                } else if character.isLetter || character.isNumber || character == "-" || character == "_" {
                    anchor.append(character)
                }
            }
            let count = counts[anchor, default: 0]
            counts[anchor] = count + 1
            anchors.insert(count == 0 ? anchor : "\(anchor)-\(count)")
        }
        return anchors
    }

    private static let knownAnchors = Mutex<[String: Set<String>]>([:])

    /// The anchors of a page, which is read once: many pages lead to the same one.
    static func anchors(of path: String) throws -> Set<String> {
        try knownAnchors.withLock { known in
            if let anchors = known[path] { return anchors }
            let anchors = try MarkdownPage(path).anchors
            known[path] = anchors
            return anchors
        }
    }

    /// Links to files and anchors of the repository.
    var links: [(line: Int, target: String)] {
        prose.flatMap { line in
            line.text.replacing(#/`[^`]*`/#, with: "").matches(of: #/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/#)
                .compactMap {
                    let target = String($0.1 ?? $0.2 ?? "")
                    return target.contains(#/^[a-z]+:/#) ? nil : (line.number, target)
                }
        }
    }
}

struct LinkTests {
    @Test(arguments: MarkdownPage.paths)
    func `every link to a file or an anchor resolves`(path: String) throws {
        let page = try MarkdownPage(path)
        for link in page.links {
            let parts = link.target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            let folder = Place.package.appendingPathComponent((path as NSString).deletingLastPathComponent)
            let file = parts[0].isEmpty ? path : String(parts[0])
            let url =
                parts[0].isEmpty ? Place.package.appendingPathComponent(path) : folder.appendingPathComponent(file)
            #expect(
                FileManager.default.fileExists(atPath: url.standardizedFileURL.path),
                "\(path):\(link.line): \(link.target)")
            guard parts.count == 2, file.hasSuffix(".md") else { continue }
            let root = Place.package.standardizedFileURL.path + "/"
            let anchors = try MarkdownPage.anchors(of: url.standardizedFileURL.path.replacing(root, with: ""))
            #expect(anchors.contains(String(parts[1])), "\(path):\(link.line): no heading for \(link.target)")
        }
    }

    @Test func `the documentation index lists every page`() throws {
        let rules = try MarkdownPage("Documentation/reference/rules.md").links.map { "reference/\($0.target)" }
        let targets =
            try MarkdownPage("Documentation/README.md").links.map { $0.target.prefix { $0 != "#" } }
            + rules.map { $0[...] }
        for path in MarkdownPage.paths where path.hasPrefix("Documentation/") && path != "Documentation/README.md" {
            #expect(
                targets.contains(path.dropFirst("Documentation/".count)), "\(path) is not in Documentation/README.md")
        }
    }
}
