import PushRedaction
import PushSystem
import Testing

struct RedactionKeyTests {
    @Test func `a key has 16 bytes, without the line end of its file`() throws {
        let key = Array("0123456789abcdef".utf8)
        #expect(try RedactionKey.read(file: key + Array("\r\n\n".utf8)) == key)
        #expect(try RedactionKey.read(variable: "0123456789abcdef") == key)
        #expect(throws: PlainError.self) { try RedactionKey.read(file: key.dropLast() + [0x0A]) }
        #expect(throws: PlainError.self) { try RedactionKey.read(variable: "") }
    }
}
