package import PushJSON

/// A JSON text that contains a schema, and where it came from.
@safe  // SOUND: owns its bytes, and frees them once; nothing changes after `init`, so several threads may read.
package final class SchemaDocument: @unchecked Sendable {
    /// The name in messages: a path, or a URI.
    package let name: String
    /// The address that it was read from. References are relative to it, unless the schema has an `$id`.
    package let uri: String
    private let bytes: UnsafeMutableRawBufferPointer
    private let tape: JSONTape

    /// Reads a text. Nil if it is not JSON.
    ///
    /// - Parameter report: called with what is wrong with such a text, and where.
    package init?(_ text: [UInt8], name: String, uri: String, report: (SchemaProblem) -> Void = { _ in }) {
        // SOUND: there is room for all the bytes, and the tape is of the copy.
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: text.count, alignment: 16)
        unsafe bytes.copyBytes(from: text)
        var scanner = JSONScanner()
        var tape = JSONTape()
        if let fault = unsafe scanner.scan(UnsafeRawBufferPointer(bytes), into: &tape) {
            defer { unsafe bytes.deallocate() }
            unsafe report(
                SchemaProblem(
                    document: name, pointer: "",
                    position: TextPosition(of: fault.offset, in: UnsafeRawBufferPointer(bytes)),
                    message: fault.message(in: UnsafeRawBufferPointer(bytes))))
            return nil
        }
        self.name = name
        self.uri = uri
        unsafe self.bytes = unsafe bytes
        self.tape = tape
    }

    /// Reads a file that has been read.
    ///
    /// - Parameter path: absolute.
    package convenience init?(
        _ text: [UInt8], name: String, path: String, report: (SchemaProblem) -> Void = { _ in }
    ) {
        self.init(text, name: name, uri: URIReference.file(path), report: report)
    }

    deinit {
        // SOUND: allocated in `init`, and freed nowhere else.
        unsafe bytes.deallocate()
    }

    /// The outermost value. Valid as long as the document.
    package var root: JSONView? {
        // SOUND: the tape is of these bytes.
        unsafe tape.root(of: UnsafeRawBufferPointer(bytes))
    }

    func pointer(to entry: Int) -> String {
        // SOUND: the tape is of these bytes.
        unsafe tape.pointer(to: entry, in: UnsafeRawBufferPointer(bytes))
    }

    func position(of offset: Int) -> TextPosition {
        // SOUND: the bytes are initialized.
        unsafe TextPosition(of: offset, in: UnsafeRawBufferPointer(bytes))
    }

    /// The schema's own URI, without a fragment: its `$id`. Nil if it has none, or a relative one.
    package var id: String? {
        guard let text = root?["$id"]?.string?.string else { return nil }
        let reference = URIReference(text)
        return reference.scheme == nil ? nil : reference.absolute
    }

    /// The file that a URI stands for, as an absolute path: one of the scheme `file`, or one next to `id`, which is looked for next to
    /// this document. Nil for any other, and for one outside the folder of this document.
    package func path(of uri: String) -> String? {
        let wanted = URIReference(uri)
        let own = URIReference(self.uri)
        guard own.scheme == "file", let folder = Self.folder(own), let path = wanted.decodedPath else { return nil }
        if wanted.scheme == "file" { return path.hasPrefix(folder) && Self.isPlain(path) ? path : nil }
        guard let base = id.map(URIReference.init), let baseFolder = Self.folder(base), path.hasPrefix(baseFolder),
            wanted.scheme == base.scheme, wanted.authority == base.authority
        else { return nil }
        let relative = String(path.dropFirst(baseFolder.count))
        return !relative.isEmpty && Self.isPlain("/" + relative) ? folder + relative : nil
    }

    /// The path up to its last slash.
    private static func folder(_ uri: URIReference) -> String? {
        guard let path = uri.decodedPath, let slash = path.lastIndex(of: "/") else { return nil }
        return String(path[...slash])
    }

    /// True if no `%2E%2E` leads out of the folder.
    private static func isPlain(_ path: String) -> Bool {
        !path.split(separator: "/").contains("..") && !path.unicodeScalars.contains("\0")
    }
}

/// A mistake in a schema, for which it cannot be used.
package struct SchemaProblem: Equatable, Sendable {
    /// The document's name.
    package var document: String
    /// JSON Pointer to the value that is wrong.
    package var pointer: String
    /// The beginning of that value in the document.
    package var position: TextPosition
    /// The problem, and how to solve it.
    package var message: String
}
