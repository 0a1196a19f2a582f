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

    /// Reads the value of `--screen-file`: a path whose ending says what is drawn.
    package init(parsing path: String) throws(OptionValue.Invalid) {
        guard let form = PictureForm(ending: path) else {
            let names = PictureForm.allCases.map(\.ending).joined(separator: ", ")
            throw OptionValue.Invalid(description: "--screen-file takes a file name that ends in one of \(names).")
        }
        self.path = path
        self.form = form
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
            throw RunError("--screen-file \(TerminalText.clean(path)): is a directory; name a file in it")
        default:
            throw RunError(
                "--screen-file \(TerminalText.clean(path)): is not a file that can be replaced; draw into a file, and copy that"
            )
        }
        let directory = FilePaths.parent(of: FilePaths.absolute(path)) + "/"
        do throws(SystemError) {
            try FileSystem.checkAccess(directory, .writing)
        } catch {
            throw RunError("--screen-file \(TerminalText.clean(path)): \(error)")
        }
    }

    /// Draws the screens, and replaces the file in one step.
    ///
    /// - Parameter note: called with a line for people if not all of them are drawn.
    /// - Throws: `PictureError`, `RunError`, `StoreError`.
    package func write(_ store: any BrowsableStore, note: (String) -> Void) throws {
        let picture = ScreensPicture.draw(try ScreenContents(store))
        let bytes = try form.bytes(of: picture)
        do throws(SystemError) {
            try FileBytes.write(bytes, to: path)
        } catch {
            throw RunError("--screen-file \(TerminalText.clean(path)): \(error)")
        }
        if let line = picture.note { note("pushpipe: \(line)\n") }
    }
}
