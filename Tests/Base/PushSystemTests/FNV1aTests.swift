import PushSystem
import Testing

struct FNV1aTests {
    /// Source: draft-eastlake-fnv, test vectors of 64-bit FNV-1a.
    @Test(arguments: [
        ("", "cbf29ce484222325"), ("a", "af63dc4c8601ec8c"), ("b", "af63df4c8601f1a5"), ("foobar", "85944171f73967e8"),
        ("hi", "08ba5f07b55ec3da"), ("chongo was here!\n", "46810940eff5f915"),
    ])
    func `FNV-1a gives the published hashes`(text: String, hexadecimal: String) {
        var hash = FNV1a()
        hash.add(text.utf8)
        #expect(hash.hexadecimal == hexadecimal)
        var bytes = FNV1a()
        bytes.add(Array(text.utf8))
        #expect(bytes.value == hash.value)
    }

    @Test func `parts do not run into each other`() {
        func hash(_ parts: [String]) -> UInt64 {
            var hash = FNV1a()
            for part in parts { hash.addPart(part.utf8) }
            return hash.value
        }
        #expect(hash(["ab", "c"]) != hash(["a", "bc"]))
        #expect(hash(["abc"]) != hash(["abc", ""]))
    }
}
