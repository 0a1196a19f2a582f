import PushSystem

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

    /// Where the program is.
    ///
    /// - Throws: `PictureError` with the package that has it.
    static func path(on searchPath: String? = nil) throws(PictureError) -> String {
        let list = searchPath ?? ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let paths = list.split(separator: ":").map { "\($0)/\(program)" }
        if let path = paths.first(where: { FileSystem.hasAccess($0, .execution) }) { return path }
        throw PictureError(
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
    /// - Throws: `PictureError`. The program has ended then, too.
    static func render(
        _ svg: String, searchPath: String? = nil, mostBytes: Int = mostBytes
    ) throws(PictureError) -> [UInt8] {
        let path = try path(on: searchPath)
        let environment = ProcessInfo.processInfo.environment
        do throws(SystemError) {
            let (input, toInput) = try FileDescriptor.pipe()
            let (fromOutput, output) = try FileDescriptor.pipe()
            var launch = ProgramLaunch(
                executable: path, arguments: [program, "--format", "png", "--zoom", "2"],
                environment: environment.map { "\($0.key)=\($0.value)" })
            (launch.input, launch.output) = (.descriptor(input), .descriptor(output))
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
            throw PictureError("\(program): \(error)")
        }
        throw PictureError("\(program) could not draw the picture; an SVG has it as it is")
    }
}
