package import PushSystem
import PushText
package import ScreenPictures

package enum PictureForm: String, Sendable, CaseIterable {
    /// A drawing, light or dark as the system of its reader is.
    case svg
    /// A page with the drawing and its text, which needs nothing else.
    case html
    /// A bitmap of the light drawing, two pixels a point.
    case png
    /// A bitmap of the dark drawing, two pixels a point.
    case darkPNG = "png-dark"

    /// The format that the ending of a file's name stands for; nil for any other ending.
    package init?(ending path: String) {
        // A dark PNG ends as a PNG does, too.
        let form = Self.allCases.last { path.lowercased().hasSuffix($0.ending) }
        guard let form else { return nil }
        self = form
    }

    package var ending: String { self == .darkPNG ? ".dark.png" : ".\(rawValue)" }

    /// True if its bytes are no text.
    var isBinary: Bool { self == .png || self == .darkPNG }

    /// The form itself, unless a terminal would have to show bytes.
    package func checked(isTerminal: Bool) throws(PlainError) -> PictureForm {
        if isTerminal, isBinary { throw PlainError("a PNG is not text for a terminal; redirect it to a file") }
        return self
    }

    /// Looks for what this format needs, before the work whose end is a picture.
    package func checkRenderer() throws(PlainError) { if isBinary { _ = try PNGRenderer.path() } }

    /// The bytes of a picture in this format. The same picture gives the same bytes; for a PNG, from the same version of its renderer.
    ///
    /// - Throws: `PlainError` if a PNG cannot be made.
    package func bytes(of picture: Picture) throws(PlainError) -> [UInt8] {
        switch self {
        case .svg: Array(picture.svg.utf8)
        case .html: Array(HTMLPage.text(of: picture).utf8)
        case .png: try PNGRenderer.render(picture.svg)
        case .darkPNG: try PNGRenderer.render(picture.darkSVG)
        }
    }
}

/// The output of a command: lines in one of its formats, or a picture.
package enum OutputForm<Lines: RawRepresentable & CaseIterable & Sendable>: Sendable where Lines.RawValue == String {
    case lines(Lines)
    case picture(PictureForm)

    /// The form of a name such as `csv` or `svg`.
    package init?(_ name: String) {
        if let lines = Lines(rawValue: name) {
            self = .lines(lines)
        } else if let picture = PictureForm(rawValue: name) {
            self = .picture(picture)
        } else {
            return nil
        }
    }

    /// The picture that is asked for, if one is.
    package var picture: PictureForm? { if case .picture(let form) = self { form } else { nil } }

    /// The lines that are asked for, if any are.
    package var lines: Lines? { if case .lines(let form) = self { form } else { nil } }

    package static var names: [String] { Lines.allCases.map(\.rawValue) + PictureForm.allCases.map(\.rawValue) }
}

extension OutputForm: CustomStringConvertible {
    /// The name, as the help has it.
    package var description: String {
        switch self {
        case .lines(let form): form.rawValue
        case .picture(let form): form.rawValue
        }
    }
}

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Makes a bitmap of a picture with `rsvg-convert` of librsvg, a program of its own: nobody needs the library to build pushpipe, and a
/// fault in it ends another process.
enum PNGRenderer {
    private static let program = "rsvg-convert"
    /// More than any picture; a renderer that writes without end does not fill the memory.
    private static let mostBytes = 256 << 20  // 256 MiB

    /// The path of the program.
    ///
    /// - Throws: `PlainError` with the package that has it.
    static func path(on searchPath: String? = nil) throws(PlainError) -> String {
        let searchPath = searchPath ?? Environment.nonEmptyVariable("PATH")
        if let path = FileSystem.program(program, on: searchPath) { return path }
        throw PlainError(
            "a PNG needs the program \(program) (Debian and Ubuntu: librsvg2-bin, Homebrew: librsvg); without it, draw an SVG"
        )
    }

    /// The bytes of a PNG with two pixels a point.
    ///
    /// `SIGPIPE` must be ignored, as in the command: the program may end before it has read everything.
    ///
    /// - Parameters:
    ///   - svg: the picture as it is to be drawn.
    ///   - searchPath: where to look for the program; nil for `PATH`.
    ///   - mostBytes: the size of the largest bitmap that is accepted.
    /// - Throws: `PlainError`. The program has ended then, too.
    static func render(
        _ svg: String, searchPath: String? = nil, mostBytes: Int = mostBytes
    ) throws(PlainError) -> [UInt8] {
        let path = try path(on: searchPath)
        let environment = ProcessInfo.processInfo.environment
        do throws(SystemError) {
            let (input, toInput) = try FileDescriptor.pipe()
            let (fromOutput, output) = try FileDescriptor.pipe()
            var launch = ProgramLaunch(
                executable: path, arguments: [program, "--format", "png", "--zoom", "2"],
                environment: environment.map { "\($0.key)=\($0.value)" })
            launch.input = .descriptor(input)
            launch.output = .descriptor(output)
            let started = Result { () throws(SystemError) in try launch.start() }
            input.close()
            output.close()
            // It reads everything before it writes anything, so neither waits for the other. What it did not read, its status says.
            try? toInput.writeAll(Array(svg.utf8))
            toInput.close()
            let read = Result { () throws(SystemError) in try fromOutput.readToEnd(limit: mostBytes) }
            // A program that still writes ends now.
            fromOutput.close()
            let ending = try started.get().wait()
            let bytes = try read.get()
            if ending == .exited(0), !bytes.isEmpty { return bytes }
        } catch {
            throw PlainError("\(program): \(error)")
        }
        throw PlainError("\(program) could not draw the picture; an SVG has it as it is")
    }
}

/// A page of HTML with a picture and its text. It loads nothing and runs nothing.
enum HTMLPage {
    static func text(of picture: Picture) -> String {
        let title = XMLText.attribute(PictureText.line(picture.title))
        let lines = PictureText.paragraphs(picture.description, most: 20_000)
            .map { "<li dir=\"auto\">\(XMLText.attribute($0))</li>" }.joined(separator: "\n")
        let light = PictureTheme.paint(.page).light.css
        let dark = PictureTheme.paint(.page).dark.css
        let ink = PictureTheme.paint(.ink).light.css
        let darkInk = PictureTheme.paint(.ink).dark.css
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <meta name="color-scheme" content="light dark">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
            <title>\(title)</title>
            <style>
            body{margin:0;padding:1rem;background:\(light);color:\(ink);font:15px/1.5 \(PictureTheme.appleFonts)}
            @media (prefers-color-scheme:dark){body{background:\(dark);color:\(darkInk)}}
            figure{margin:0;overflow-x:auto;text-align:center}
            details{max-width:50rem;margin:1rem auto;overflow-wrap:anywhere}
            ul{list-style:none;padding:0}
            </style>
            </head>
            <body>
            <figure>
            \(picture.svg)</figure>
            <details>
            <summary>The picture as text</summary>
            <ul>
            \(lines)
            </ul>
            </details>
            </body>
            </html>

            """
    }
}
