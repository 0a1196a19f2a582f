import PushFiles

/// The objects of an Xcode project file (`project.pbxproj`), by identifier, and the paths of its files.
///
/// The file is a property list of NeXT's form, which Foundation reads. Only what a build of an extension needs is interpreted; a file
/// that refers to objects that are not there, or to themselves, has fewer of them.
struct XcodeObjects {
    typealias Object = [String: PropertyListValue]

    /// The absolute path of the folder that paths in the project start from.
    let folder: String
    let root: Object
    private let objects: [String: Object]
    /// The group of a file or group.
    private var parents: [String: String] = [:]
    /// The folder in which the project is, for the group at the top.
    private static let maximumDepth = 64

    /// - Parameter folder: the absolute path of the folder with the `.xcodeproj`.
    init(_ bytes: [UInt8], folder: String, path: String) throws(ExtensionBuildError) {
        let file = try PropertyListFile(bytes, path: path)
        objects = (file.members["objects"]?.members ?? [:]).compactMapValues(\.members)
        guard let root = file.members["rootObject"]?.string.flatMap({ [objects] in objects[$0] }) else {
            throw ExtensionBuildError("\(path): not an Xcode project: it has no root object")
        }
        self.root = root
        let inner = root["projectDirPath"]?.string ?? ""
        self.folder = inner.isEmpty ? folder : FilePaths.absolute(folder + "/" + inner)
        // Of several groups with the same child, the first counts.
        for (identifier, object) in objects.sorted(by: { $0.key < $1.key }) {
            for child in Self.identifiers(object["children"]) where parents[child] == nil {
                parents[child] = identifier
            }
        }
    }

    subscript(_ identifier: String?) -> Object? { identifier.flatMap { objects[$0] } }

    static func identifiers(_ value: PropertyListValue?) -> [String] { value?.array?.compactMap(\.string) ?? [] }

    /// The objects that a list refers to, each once: a list in a list would otherwise grow with the square of the file.
    func list(_ value: PropertyListValue?) -> [(identifier: String, object: Object)] {
        var seen: Set<String> = []
        return Self.identifiers(value).filter { seen.insert($0).inserted }
            .compactMap { identifier in objects[identifier].map { (identifier, $0) } }
    }

    /// All objects of a class, in the order of their identifiers.
    func all(_ name: String) -> [(identifier: String, object: Object)] {
        objects.filter { $0.value["isa"]?.string == name }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The absolute path of a file or group; nil for one outside of the project's folders, such as a product.
    func path(of identifier: String) -> String? {
        var parts: [String] = []
        var current = identifier
        for _ in 0..<Self.maximumDepth {
            guard let object = objects[current] else { return nil }
            let part = object["path"]?.string
            switch object["sourceTree"]?.string {
            case "<absolute>": return part.map { joined($0, parts) }
            case "SOURCE_ROOT": return joined(folder + "/" + (part ?? ""), parts)
            case "<group>", nil:
                if let part { parts.append(part) }
                guard let parent = parents[current] else { return joined(folder, parts) }
                current = parent
            default: return nil
            }
        }
        return nil
    }

    private func joined(_ start: String, _ parts: [String]) -> String {
        FilePaths.absolute(([start] + parts.reversed()).joined(separator: "/"))
    }
}

extension PropertyListValue {
    var array: [PropertyListValue]? {
        if case .array(let values) = self { values } else { nil }
    }

    /// The text of a build setting: a list is joined with spaces.
    var setting: String? {
        switch self {
        case .string(let text): text
        case .array(let values): values.compactMap(\.string).joined(separator: " ")
        case .integer(let number): "\(number)"
        case .bool(let value): value ? "YES" : "NO"
        default: nil
        }
    }
}
