/// The output of `swift package dump-package` about a package, as far as it matters.
struct PackageDescription: Decodable {
    struct Product: Decodable {
        var name: String
        var targets: [String]
        var type: [String: [String]?]
    }

    struct Target: Decodable {
        var name: String
        /// `regular`, `executable`, `test`, `system`, `binary`, `plugin` or `macro`.
        var type: String
        var path: String?
        var sources: [String]?
        var exclude: [String]?
        var publicHeadersPath: String?
        var resources: [Resource]?
        var settings: [Setting]?
        var dependencies: [TargetDependency]?
        var pluginUsages: [PluginUsage]?

        var module: String { BuildSettings.module(name) }
    }

    struct Resource: Decodable {
        var path: String
        /// `process`, `copy` or `embedInCode`.
        var rule: [String: [String: String]]
    }

    struct Setting: Decodable {
        /// `swift`, `c`, `cxx` or `linker`.
        var tool: String
        var kind: [String: SettingValue]
        var condition: Condition?
    }

    struct SettingValue: Decodable {
        /// Nil for a list, and for what has another form.
        let text: String?

        private enum CodingKeys: String, CodingKey { case text = "_0" }

        init(from decoder: any Decoder) throws {
            text = (try? decoder.container(keyedBy: CodingKeys.self))
                .flatMap { try? $0.decode(String.self, forKey: .text) }
        }
    }

    struct Condition: Decodable {
        var platformNames: [String]?
        var config: String?

        /// True on a device, in a build for release: what is built here stands for that.
        var isMet: Bool {
            let platforms = platformNames ?? []
            return (platforms.isEmpty || platforms.contains("ios")) && config != "debug"
        }
    }

    struct TargetDependency: Decodable {
        let name: String
        /// The package of a product, if it is named.
        let package: String?
        let condition: Condition?

        init(from decoder: any Decoder) throws {
            // { kind: [name, package or null, aliases or null, condition or null] }
            let parts = try [String: [Part]](from: decoder).values.first ?? []
            let texts = parts.compactMap(\.text)
            name = texts.first ?? ""
            package = texts.count > 1 ? texts[1] : nil
            condition = parts.compactMap(\.condition).last
        }

        private struct Part: Decodable {
            var text: String?
            var condition: Condition?

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if container.decodeNil() { return }
                text = try? container.decode(String.self)
                if text == nil { condition = try? container.decode(Condition.self) }
            }
        }
    }

    struct PluginUsage: Decodable {
        let name: String

        init(from decoder: any Decoder) throws {
            name = try [String: [String?]](from: decoder).values.first?.first.flatMap(\.self) ?? ""
        }
    }

    /// Another package: a folder, or what a repository has.
    struct Dependency: Decodable {
        struct Folder: Decodable {
            var path: String
            var nameForTargetDependencyResolutionOnly: String?
        }

        struct Repository: Decodable {
            var nameForTargetDependencyResolutionOnly: String?
            var location: [String: [[String: String]]]
            var requirement: [String: [Version]]
        }

        struct Version: Decodable {
            var text = ""
            var range: [String: String] = [:]

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if let text = try? container.decode(String.self) {
                    self.text = text
                } else {
                    range = try container.decode([String: String].self)
                }
            }
        }

        var fileSystem: [Folder]?
        var sourceControl: [Repository]?

        /// The name that an older manifest gives the package.
        var name: String? {
            fileSystem?.first?.nameForTargetDependencyResolutionOnly
                ?? sourceControl?.first?.nameForTargetDependencyResolutionOnly
        }

        /// Nil for a package of a registry.
        var package: XcodePackage? {
            if let folder = fileSystem?.first { return XcodePackage(source: .local(folder.path)) }
            guard let repository = sourceControl?.first, let wanted = repository.requirement.first,
                let version = wanted.value.first,
                let url = repository.location["remote"]?.first?["urlString"]
            else { return nil }
            let text = ExtensionPackage.literal(version.text)
            let requirement: String
            if wanted.key == "range", let low = version.range["lowerBound"], let high = version.range["upperBound"] {
                requirement = ExtensionPackage.literal(low) + "..<" + ExtensionPackage.literal(high)
            } else if ["exact", "branch", "revision"].contains(wanted.key) {
                requirement = "\(wanted.key): \(text)"
            } else {
                return nil
            }
            return XcodePackage(source: .remote(url, requirement: requirement))
        }
    }

    var name: String
    var products: [Product]
    var targets: [Target]
    var dependencies: [Dependency]?
    var defaultLocalization: String?

    func product(with module: String) -> String? {
        let names = Set(targets.filter { $0.module == module }.map(\.name))
        return products.first { $0.type["library"] != nil && !names.isDisjoint(with: $0.targets) }?.name
    }

    /// A target that can be imported.
    func target(of module: String) -> Target? {
        targets.first { $0.module == module && !["test", "plugin", "executable"].contains($0.type) }
    }

    var modules: [String] {
        products.filter { $0.type["library"] != nil }.flatMap(\.targets).map(BuildSettings.module)
    }
}
