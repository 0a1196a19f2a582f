/// Checks that a feature file is UTF-8, and locates the first byte that is not.
enum EncodingCheck {
    static func error(in bytes: [UInt8]) -> GherkinError? {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            return GherkinError(Location(line: 1, column: 1), "the file is UTF-16; save it as UTF-8")
        }
        if String(validating: bytes, as: UTF8.self) != nil { return nil }
        var location = Location(line: 1, column: 1)
        var iterator = bytes.makeIterator()
        var parser = Unicode.UTF8.ForwardParser()
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let scalar):
                location.column += 1
                if scalar.count == 1, scalar.first == 0x0A {
                    location = Location(line: location.line + 1, column: 1)
                }
            case .error: return GherkinError(location, "the bytes here are not UTF-8")
            case .emptyInput: return nil
            }
        }
    }
}
