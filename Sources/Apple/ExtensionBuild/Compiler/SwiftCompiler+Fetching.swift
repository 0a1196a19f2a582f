import PushFiles
import PushSystem

extension SwiftCompiler {
    /// Has SwiftPM fetch packages, before anything is built, so that what they have is known, and what cannot be had is told beside all else.
    ///
    /// SwiftPM fetches all of them or none. So an empty package stands in for each that cannot be had, also for one that only others need: then
    /// it fetches the rest. All tries share one folder, in which nothing is fetched twice.
    package func fetch(_ packages: [XcodePackage], in folder: String) throws(ExtensionBuildError) -> FetchedPackages? {
        var result = FetchedPackages()
        var hash = FNV1a()
        for package in packages { hash.addPart("\(package.source)".utf8) }
        let place = folder + "/" + hash.hexadecimal
        var wanted = packages
        var absent: Set<String> = []
        while !wanted.isEmpty {
            guard let log = try resolve(wanted, without: absent, in: place) else {
                let checkouts = place + "/.build/checkouts"
                let names = (try? FileSystem.names(in: checkouts)) ?? []
                // A manifest may have written a link there.
                let scope = ProjectScope(root: place)
                result.folders = names.sorted().map { checkouts + "/" + $0 }.filter {
                    FileTree.isFolder($0) && scope.contains($0)
                }
                return result
            }
            let failures = FetchFailure.all(in: log).filter { absent.insert($0.identity).inserted }
            for failure in failures {
                let package = wanted.first { $0.identity.lowercased() == failure.identity }
                result.failures.append((package ?? failure.package, failure.reason))
            }
            wanted.removeAll { absent.contains($0.identity.lowercased()) }
            if failures.isEmpty {
                let failed = try findFailing(wanted, FetchFailure.reason(in: log), in: folder)
                result.failures += failed
                wanted.removeAll { package in failed.contains { $0.package == package } }
            }
        }
        return result
    }

    /// Finds the packages that fail for another reason than that they cannot be had: those that fail alone, else all.
    private func findFailing(
        _ packages: [XcodePackage], _ reason: String, in folder: String
    ) throws(ExtensionBuildError) -> [(package: XcodePackage, reason: String)] {
        var failures: [(package: XcodePackage, reason: String)] = []
        for package in packages where packages.count > 1 {
            guard let log = try resolve([package], without: [], in: folder + "/one") else { continue }
            failures.append((package, FetchFailure.reason(in: log)))
        }
        return failures.isEmpty ? packages.map { ($0, reason) } : failures
    }

    /// Returns the output when it fails.
    ///
    /// - Parameter absent: identities of packages that empty ones stand in for.
    private func resolve(
        _ packages: [XcodePackage], without absent: Set<String>, in folder: String
    ) throws(ExtensionBuildError) -> String? {
        var all = packages
        for name in absent.sorted() {
            let place = folder + "/absent/" + name
            let manifest = """
                // swift-tools-version:5.3
                import PackageDescription
                let package = Package(name: \(ExtensionPackage.literal(name)))

                """
            // Manifests may have written links here.
            for path in [folder + "/absent", place, place + "/Package.swift"] { FileTree.removeLink(path) }
            try FileTree.makeFolder(place)
            try FileTree.write(Array(manifest.utf8), to: place + "/Package.swift")
            all.append(XcodePackage(source: .local(place)))
        }
        let dependencies = all.map { "        " + ExtensionPackage.dependency($0) + ",\n" }.joined()
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
}
