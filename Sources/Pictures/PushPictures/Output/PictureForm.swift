package import ScreenPictures

package enum PictureForm: String, Sendable, CaseIterable {
    /// A drawing, light or dark as the system of its reader is.
    case svg
    /// A page with the drawing and its text, which needs nothing else.
    case html
    /// A bitmap of the light drawing, two pixels a point.
    case png
    /// The same of the dark drawing.
    case darkPNG = "png-dark"

    /// The format that the ending of a file's name stands for; nil for any other ending.
    package init?(ending path: String) {
        // A dark PNG ends as a PNG does, too.
        guard let form = Self.allCases.reversed().first(where: { path.lowercased().hasSuffix($0.ending) }) else {
            return nil
        }
        self = form
    }

    package var ending: String { self == .darkPNG ? ".dark.png" : ".\(rawValue)" }

    /// True if its bytes are no text.
    var isBinary: Bool { self == .png || self == .darkPNG }

    /// The form itself, unless a terminal would have to show bytes.
    package func checked(isTerminal: Bool) throws(PictureError) -> PictureForm {
        if isTerminal, isBinary { throw .terminal }
        return self
    }

    /// Looks for what this format needs, before the work whose end is a picture.
    package func checkRenderer() throws(PictureError) { if isBinary { _ = try PNGRenderer.path() } }

    /// The bytes of a picture in this format. The same picture gives the same bytes; for a PNG, from the same version of its renderer.
    ///
    /// - Throws: `PictureError` if a PNG cannot be made.
    package func bytes(of picture: Picture) throws(PictureError) -> [UInt8] {
        switch self {
        case .svg: Array(picture.svg.utf8)
        case .html: Array(HTMLPage.text(of: picture).utf8)
        case .png: try PNGRenderer.render(picture.svg)
        case .darkPNG: try PNGRenderer.render(picture.darkSVG)
        }
    }
}

/// A picture that could not be made. Its description is one line that says what to do.
package struct PictureError: Error, Equatable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }

    /// A list of numbers is not drawn.
    package static let list = PictureError(
        "store list has no picture; store show draws the screens, store events the journal")

    /// A terminal would show the bytes of a bitmap as text.
    package static let terminal = PictureError(
        "a PNG is not text for a terminal; redirect it to a file")
}
