import PushFiles
import PushPictures
package import PushStore
import PushSystem
import PushText
import ScreenPictures

/// The file that a picture of the screens is written to at the end of a run.
package struct ScreenFile: Sendable, Equatable {
    private let path: String
    private let form: PictureForm

    /// - Parameter path: its ending says what is drawn. Nil for any other ending.
    package init?(_ path: String) {
        guard let form = PictureForm(ending: path) else { return nil }
        self.path = path
        self.form = form
    }

    private func error(_ reason: String) -> RunError {
        RunError("\(TerminalText.clean(path)): \(reason)", of: "screen file")
    }

    /// Finds out before a run, which may be long, what would be in the way after it.
    ///
    /// - Throws: `PictureError`, `RunError`.
    package func check() throws {
        try form.checkRenderer()
        // The file is replaced, so what counts is its directory; with a slash, nothing else has access.
        switch (try? FileStatus(path))?.kind {
        case nil, .regular: break
        case .directory:
            throw error("is a directory; name a file in it")
        default:
            throw error("is not a file that can be replaced; draw into a file, and copy that")
        }
        let directory = FilePaths.parent(of: FilePaths.absolute(path)) + "/"
        do throws(SystemError) {
            try FileSystem.checkAccess(directory, .writing)
        } catch let reason {
            throw error("\(reason)")
        }
    }

    /// Draws the screens, and replaces the file in one step.
    ///
    /// - Parameters:
    ///   - device: the device to draw; nil for all devices.
    ///   - note: called with a line for people if not all of them are drawn.
    /// - Throws: `PictureError`, `RunError`, `StoreError`.
    package func write(
        _ store: any BrowsableStore, device: ShownDevice? = nil, note: (String) -> Void
    ) throws {
        let picture = ScreensPicture.draw(try ScreenContents(store, device: device?.name(in: store)))
        let bytes = try form.bytes(of: picture)
        do throws(SystemError) {
            try FileBytes.write(bytes, to: path)
        } catch let reason {
            throw error("\(reason)")
        }
        if let line = picture.note { note("pushpipe: \(line)\n") }
    }
}
