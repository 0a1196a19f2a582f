package import ExtensionPrograms
import PushFiles
import PushSystem

/// Xcode's build settings, which property lists refer to as `$(NAME)`, `${NAME}` or `$(NAME:modifier)`.
package struct BuildSettings {
    private let values: [String: String]
    /// Settings that were referred to and have no value; they count as empty, as in Xcode.
    package private(set) var missing: Set<String> = []

    package init(name: String, module: String, bundleIdentifier: String, language: String, own: [String: String]) {
        let standard = [
            "AppIdentifierPrefix": "",
            "CURRENT_PROJECT_VERSION": "1",
            "DEVELOPMENT_LANGUAGE": language,
            "EXECUTABLE_NAME": name,
            "MARKETING_VERSION": "1.0",
            "PRODUCT_BUNDLE_IDENTIFIER": bundleIdentifier,
            "PRODUCT_BUNDLE_PACKAGE_TYPE": "XPC!",
            "PRODUCT_MODULE_NAME": module,
            "PRODUCT_NAME": name,
            "TARGET_NAME": name,
            "TeamIdentifierPrefix": "",
            "WRAPPER_EXTENSION": "appex",
        ]
        values = standard.merging(own) { $1 }
    }

    /// How many references within values are filled in; a project decides how often they refer to each other.
    private var nestedLeft = 0
    private var depth = 0
    private static let maximumDepth = 16

    /// Takes only these settings, whose values may refer to each other.
    init(nested values: [String: String]) {
        self.values = values
        nestedLeft = 1000
    }

    /// Fills in references. Values of settings are expanded again only in a project's, up to a depth, so there are no cycles.
    package mutating func expand(_ text: String) -> String {
        guard text.contains("$") else { return text }
        var result = ""
        var rest = text[...]
        while let dollar = rest.firstIndex(of: "$") {
            result += rest[..<dollar]
            rest = rest[dollar...]
            let inside = rest.dropFirst(2)
            let close: Character? =
                switch rest.dropFirst().first {
                case "(": ")"
                case "{": "}"
                default: nil
                }
            guard let close, let end = inside.firstIndex(of: close) else {
                result += "$"
                rest = rest.dropFirst()
                continue
            }
            result += value(of: inside[..<end])
            rest = inside[inside.index(after: end)...]
        }
        return result + rest
    }

    /// - Parameter reference: the text between the brackets.
    private mutating func value(of reference: Substring) -> String {
        let parts = reference.split(separator: ":", omittingEmptySubsequences: false)
        let name = String(parts.first ?? "")
        var value = values[name] ?? ""
        if nestedLeft > 0, depth < Self.maximumDepth, value.contains("$") {
            nestedLeft -= 1
            depth += 1
            value = expand(value)
            depth -= 1
        }
        for part in parts.dropFirst() {
            switch part {
            case "lower": value = value.lowercased()
            case "upper": value = value.uppercased()
            case "rfc1034identifier": value = Self.identifier(value, allowing: "-.", inPlaceOfOthers: "-")
            case "identifier", "c99extidentifier": value = Self.identifier(value, allowing: "_", inPlaceOfOthers: "_")
            case _ where part.hasPrefix("default="):
                if value.isEmpty { return String(part.dropFirst("default=".count)) }
            default: break
            }
        }
        if values[name] == nil { missing.insert(name) }
        return value
    }

    /// The text with each character that is not allowed replaced.
    package static func identifier(_ text: String, allowing others: String, inPlaceOfOthers replacement: Character)
        -> String
    {
        String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) || others.contains($0) ? $0 : replacement })
    }

    /// The module name that Xcode and SwiftPM derive from the name of a product.
    package static func module(_ name: String) -> String {
        let identifier = identifier(name, allowing: "_", inPlaceOfOthers: "_")
        return identifier.first?.isNumber == true ? "_" + identifier : identifier
    }
}

extension PropertyListFile {
    init(contentsOf path: String) throws(PlainError) {
        try self.init(FileTree.read(path), path: FilePaths.shown(path))
    }

    /// Fills in references to build settings.
    package mutating func expand(_ settings: inout BuildSettings) {
        members = PropertyListValue.mapTexts(of: members) { settings.expand($0) }
    }
}
