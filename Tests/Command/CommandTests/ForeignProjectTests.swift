import Foundation
import TestSupport
import Testing

/// `pushpipe extension build` of a stranger's project with pipes, devices and settings without end. Each runs in a process with little
/// memory and processor time, so that one that hangs or grows ends alone. The compiler always fails.
struct ForeignProjectTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
        try write(serviceSource(), to: "app/Push/Service.swift")
        try write("#!/bin/sh\nexit 1\n", to: "bin/swift")
    }

    private func write(_ text: String, to name: String) throws {
        let directory = folder.url.appendingPathComponent(name).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try folder.write(text, to: name)
    }

    /// - Parameters:
    ///   - settings: of the target.
    ///   - prepare: shell that makes what is harmful, in the folder of the project.
    private func build(_ settings: String, prepare: String) throws -> Output {
        try write(
            """
            // !$*UTF8*$!
            { objectVersion = 77; rootObject = P; objects = {
              P = {isa = PBXProject; mainGroup = G; targets = (T); };
              T = {isa = PBXNativeTarget; name = Push; buildConfigurationList = L;
                   productType = "com.apple.product-type.app-extension"; fileSystemSynchronizedGroups = (S); };
              G = {isa = PBXGroup; children = (S, F); sourceTree = "<group>"; };
              S = {isa = PBXFileSystemSynchronizedRootGroup; path = Push; sourceTree = "<group>"; };
              F = {isa = PBXFileReference; path = Push.xcconfig; sourceTree = "<group>"; };
              L = {isa = XCConfigurationList; buildConfigurations = (C); };
              C = {isa = XCBuildConfiguration; name = Release; baseConfigurationReference = F;
                   buildSettings = {\(settings)}; };
            }; }
            """, to: "app/App.xcodeproj/project.pbxproj")
        return try folder.shell(
            """
            chmod +x bin/swift; (cd app; \(prepare)); export PATH="$PWD/bin:$PATH"; ulimit -t 20
            # The address sanitizer reserves terabytes.
            [ -n "${ASAN_OPTIONS-}" ] || ulimit -v 4000000
            timeout --signal=KILL 100 \\
                pushpipe extension build --project app/App.xcodeproj --target Push --cache cache
            """)
    }

    @Test(arguments: [
        ("INFOPLIST_FILE = Info.plist;", "mkfifo Info.plist", "Info.plist: a pipe or a device, and not a file"),
        ("CODE_SIGN_ENTITLEMENTS = e;", "mkfifo e", "app/e: a pipe or a device, and not a file"),
        ("", "mkfifo Push/More.swift", "Push/More.swift: a pipe or a device, and not a file"),
        ("", "rm App.xcodeproj/project.pbxproj; mkfifo App.xcodeproj/project.pbxproj", "a pipe or a device"),
    ])
    func `a pipe is refused`(settings: String, prepare: String, reason: String) throws {
        let output = try build(settings, prepare: prepare)
        #expect(output.status == 2, "\(output.stderr)")
        #expect(output.stderr.contains(reason), "\(output.stderr)")
    }

    @Test(arguments: [
        ("", "mkfifo Push.xcconfig", "Push.xcconfig cannot be read"),
        ("INFOPLIST_FILE = /dev/zero;", ":", "/dev/zero is left out: it is outside of"),
        ("", "ln -s /dev/zero Push.xcconfig", "Push.xcconfig cannot be read"),
        ("", "ln -s /dev/zero Push/More.swift", "Push/More.swift is left out: it is outside of"),
    ])
    func `what is no file of the project is left out`(settings: String, prepare: String, notice: String) throws {
        let output = try build(settings, prepare: prepare)
        #expect(output.status == 1, "\(output.stderr)")
        #expect(output.stderr.contains(notice), "\(output.stderr)")
    }

    @Test func `settings that include themselves are read once`() throws {
        let include = #"for n in $(seq 1250); do echo '#include "Push.xcconfig"'; done > Push.xcconfig"#
        let output = try build("", prepare: include + "; echo 'PRODUCT_NAME = Own' >> Push.xcconfig")
        #expect(output.status == 1, "\(output.stderr)")
        #expect(output.stderr.contains("pushpipe: Own was not built\n"), "\(output.stderr)")
    }
}
