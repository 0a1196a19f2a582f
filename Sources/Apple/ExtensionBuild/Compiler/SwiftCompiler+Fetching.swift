import PushFiles
import PushSystem

extension SwiftCompiler {
    /// Has SwiftPM fetch packages, before anything is built, so that what they have is known, and what cannot be had is told beside all else.
    package func fetch(_ packages: [XcodePackage], in folder: String) throws(ExtensionBuildError) -> FetchedPackages? {
        var result = FetchedPackages()
        var wanted = packages
        while !wanted.isEmpty {
            var hash = FNV1a()
            for package in wanted { hash.addPart("\(package.source)".utf8) }
            let place = folder + "/" + hash.hexadecimal
            guard let log = try resolve(wanted, in: place) else {
                let checkouts = place + "/.build/checkouts"
                let names = (try? FileSystem.names(in: checkouts)) ?? []
                // A manifest may have written a link there.
                let scope = ProjectScope(root: place)
                result.folders = names.sorted().map { checkouts + "/" + $0 }.filter {
                    FileTree.isFolder($0) && scope.contains($0)
                }
                return result
            }
            // It stops at the first that it cannot have, which may be one that another needs.
            let errors = Self.errors(in: log)
            // Several are tried at once, and all but one of the failures are warnings. Those that it has not tried are no failures yet.
            var failures = Self.failures(of: wanted) { url in
                log.firstRange(of: "Failed to clone repository \(url):").map { Self.reason(in: log[$0.lowerBound...]) }
            }
            if failures.isEmpty {
                failures = Self.failures(of: wanted) { errors.contains($0) ? Self.reason(in: errors) : nil }
            }
            if failures.isEmpty, wanted.count > 1 {
                for package in wanted {
                    guard let log = try resolve([package], in: folder + "/one") else { continue }
                    failures.append((package, Self.reason(in: Self.errors(in: log))))
                }
            }
            if failures.isEmpty { failures = wanted.map { ($0, Self.reason(in: errors)) } }
            result.failures += failures.map { (package: $0.0, reason: $0.1) }
            let failed = failures.map(\.0)
            wanted.removeAll(where: failed.contains)
        }
        return result
    }

    /// Returns the output when it fails.
    private func resolve(_ packages: [XcodePackage], in folder: String) throws(ExtensionBuildError) -> String? {
        let dependencies = packages.map { "        " + ExtensionPackage.dependency($0) + ",\n" }.joined()
        let manifest = Array(
            """
            // swift-tools-version: 6.2
            import PackageDescription

            let package = Package(
                name: "fetched",
                dependencies: [
            \(dependencies)    ]
            )

            """.utf8)
        try FileTree.makeFolder(folder)
        let path = folder + "/Package.swift"
        FileTree.removeLink(path)
        let present = try? FileBytes.read(path, limit: FileBytes.maximumDocumentBytes)
        if present != manifest { try FileTree.write(manifest, to: path) }
        var log = ""
        let access = BuildAccess(writable: [folder], hasNetwork: true)
        let isFetched = try confined(to: access).fetchPackages(of: folder) { log += $0 + "\n" }
        return isFetched ? nil : log
    }

    /// - Parameter reason: why there is no package from a URL; nil if nothing is known about it.
    private static func failures(
        of packages: [XcodePackage], reason: (String) -> String?
    ) -> [(XcodePackage, String)] {
        packages.compactMap { package in
            guard case .remote(let url, _) = package.source else { return nil }
            return reason(url).map { (package, $0) }
        }
    }

    /// The output from its first error on, without lines about progress, which name all packages.
    private static func errors(in log: String) -> String {
        let errors = log.firstRange(of: "error: ").map { log[$0.lowerBound...] } ?? log[...]
        return errors.split(separator: "\n").filter { line in !BuildLog.noise.contains(where: line.hasPrefix) }
            .joined(separator: "\n")
    }

    private static func reason(in errors: some StringProtocol) -> String {
        let lines = errors.split(whereSeparator: \.isNewline)
        let line = lines.first { $0.contains("fatal: ") } ?? lines.first ?? "unknown"
        return String(line.firstRange(of: ": ").map { line[$0.upperBound...] } ?? line)
    }
}
