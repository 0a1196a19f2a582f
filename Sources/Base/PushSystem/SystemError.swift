#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The error of a failed system call. Callers decide by its code.
public struct SystemError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The value of `errno`.
    public var code: Int32

    package init(code: Int32) { self.code = code }

    /// The last error of this thread. Take it before another call changes it.
    package init() { self.init(code: errno) }

    /// The system's description, such as `No such file or directory`.
    public var description: String {
        // SOUND: `strerror` returns a terminated string, and it is copied before the next call.
        unsafe String(cString: strerror(code))
    }
}

/// The errors that callers tell apart.
extension SystemError {
    /// A signal arrived before anything was done: `EINTR`.
    package static let interrupted = SystemError(code: EINTR)
    /// Nothing to read, or no room to write, on a non-blocking descriptor: `EAGAIN`.
    package static let wouldBlock = SystemError(code: EAGAIN)
    /// A client was gone before its connection was accepted: `ECONNABORTED`.
    package static let connectionAborted = SystemError(code: ECONNABORTED)
    /// The other end has no reader: `EPIPE`.
    package static let brokenPipe = SystemError(code: EPIPE)
    /// The descriptor is closed: `EBADF`.
    package static let badDescriptor = SystemError(code: EBADF)
    /// No such file or directory: `ENOENT`.
    package static let notFound = SystemError(code: ENOENT)
    /// No room on the device, or the system watches no more directories: `ENOSPC`.
    package static let noSpace = SystemError(code: ENOSPC)
    /// Permission denied: `EACCES`.
    package static let accessDenied = SystemError(code: EACCES)
    /// The file system is mounted read-only: `EROFS`.
    package static let readOnlyFileSystem = SystemError(code: EROFS)
    /// The file is larger than the limit: `EFBIG`.
    package static let fileTooLarge = SystemError(code: EFBIG)
    /// Not the kind of file that the operation needs: `EINVAL`.
    package static let invalidArgument = SystemError(code: EINVAL)
    /// The stored data is not what it should be: `EBADMSG`.
    package static let damaged = SystemError(code: EBADMSG)
    /// The executable is open for writing: `ETXTBSY`.
    package static let executableBusy = SystemError(code: ETXTBSY)
}

/// Calls a function that returns a negative number and sets `errno` when it fails.
func checked<Result: SignedInteger>(_ call: () -> Result) throws(SystemError) -> Result {
    let result = call()
    guard result >= 0 else { throw SystemError() }
    return result
}

/// An error for people, in one line: where, what is wrong, and what to do next. An error by which a caller decides has a type of its own.
package struct PlainError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The value that somebody has set and that is wrong, in words, such as `report file`; nil if the error is about something else. A program
    /// whose option sets it names the option.
    package let parameter: String?
    /// The problem: with the file that has it, or the words that follow the name of the value.
    package let message: String
    /// The line of the text that was read, from 1; nil if the error is not about a place in it, or if the message names the place.
    package let line: Int?
    /// The column in that line, from 1; nil if all of the line is meant.
    package let column: Int?
    /// The system's error about a stream of records or of reports; nil for any other error. A run with a store can be continued after one.
    package let cause: SystemError?

    package init(_ message: String, of parameter: String? = nil, line: Int? = nil, column: Int? = nil) {
        self.init(message, parameter, line, column, cause: nil)
    }

    private init(_ message: String, _ parameter: String?, _ line: Int?, _ column: Int?, cause: SystemError?) {
        self.parameter = parameter
        self.message = message
        self.line = line
        self.column = column
        self.cause = cause
    }

    package var description: String { description { $0 } }

    /// - Parameter name: of a value.
    package func description(naming name: (String) -> String) -> String {
        parameter.map { "\(name($0)) \(message)" } ?? message
    }

    /// The place in a text, to append to its name: `:2:3`, `:2` without a column; empty if all of the text is meant.
    package var place: String { (line.map { ":\($0)" } ?? "") + (column.map { ":\($0)" } ?? "") }

    /// The error, naming the file of the text: `gateway.yml:2:3: wikimedia has no key 'mappings'; …`
    package func located(in file: String) -> PlainError { PlainError("\(file)\(place): \(message)") }
}

/// The errors of inputs and outputs.
extension PlainError {
    /// True if the reader of an output has closed its end of the pipe, which is its right.
    package var isReaderGone: Bool { cause == .brokenPipe }

    /// An output named `name` that takes nothing more.
    package static func unwritable(_ name: String, _ error: SystemError) -> PlainError {
        let message =
            error == .badDescriptor
            ? "\(name) is closed; redirect it, for example to /dev/null" : "\(name) cannot be written: \(error)"
        return PlainError(message, nil, nil, nil, cause: error)
    }

    /// An input that cannot be opened or read. Nil is standard input.
    package static func unreadable(_ path: String?, _ error: SystemError) -> PlainError {
        PlainError("\(path ?? "standard input"): \(error)", nil, nil, nil, cause: error)
    }

    /// An input that cannot be processed, whatever is done about reading it. Nil is standard input.
    package static func unfit(_ path: String?, _ reason: String) -> PlainError {
        PlainError("\(path ?? "standard input"): \(reason)")
    }
}
