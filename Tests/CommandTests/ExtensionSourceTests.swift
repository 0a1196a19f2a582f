import Testing

/// What `pushpipe extension build` does for sources that count on Apple's systems.
struct ExtensionSourceTests {
    @Test func `every file has what Foundation brings on Apple's systems`() throws {
        let workshop = try Workshop()
        try workshop.write(serviceSource(), to: "Push/A.swift")
        #expect(try workshop.build("Push").status == 0)
        #expect(
            try workshop.folder.read(try workshop.generated("Package.swift")).contains(
                #".unsafeFlags(["-Xfrontend", "-import-module", "-Xfrontend", "UserNotifications"])"#))
    }
}
