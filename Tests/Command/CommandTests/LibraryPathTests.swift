#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    /// Which libraries the built command loads.
    struct LibraryPathTests {
        private let folder: Folder
        init() throws { folder = try Folder() }

        /// Somebody who can write into the folder of the command, such as a folder of downloads, could otherwise run code in it.
        @Test(arguments: ["libm.so.6", "libc.so.6", "libsqlite3.so.0", "libstdc++.so.6"])
        func `a library that lies beside the command is not loaded`(name: String) throws {
            let command = try Place.executable().resolvingSymlinksInPath()
            let here = folder.url.appendingPathComponent("pushpipe")
            do {
                try FileManager.default.linkItem(at: command, to: here)
            } catch {
                // In another file system.
                try FileManager.default.copyItem(at: command, to: here)
            }
            try folder.write("not a library", to: name)
            let output = try folder.run(here.path, ["--version"])
            #expect(output.status == 0, "\(output.stderr)")
        }
    }
#endif
