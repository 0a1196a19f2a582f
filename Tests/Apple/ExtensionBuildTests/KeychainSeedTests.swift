import ExtensionBuild
import ExtensionPrograms
import Foundation
import PushSystem
import Testing

/// The file of `extension.keychain`.
struct KeychainSeedTests {
    @Test func `items of the keychain are read by the names of Security's constants`() throws {
        let workshop = try Workshop()
        let json = """
             [{"kSecClass": "kSecClassGenericPassword", "kSecAttrService": "chat", "kSecAttrAccount": "ana",
               "kSecAttrAccessible": "kSecAttrAccessibleAfterFirstUnlock", "kSecValueData": "secret"},
              {"kSecClass": "kSecClassKey", "kSecAttrKeyType": "kSecAttrKeyTypeRSA", "kSecAttrKeySizeInBits": 2048,
               "kSecAttrSynchronizable": false, "kSecValueData": {"base64": "AP8="}}]
            """
        try workshop.write(json, to: "a.json")
        func items(_ name: String) throws -> [[String: Any]] {
            let list = try KeychainSeed.read(workshop.path(name))
            let items = try PropertyListSerialization.propertyList(from: Data(list), format: nil) as? [[String: Any]]
            return try #require(items).map { item in
                #expect((item["v_PersistentRef"] as? Data)?.count == 16 && item["cdat"] is Date && item["mdat"] is Date)
                return item.filter { !["v_PersistentRef", "cdat", "mdat"].contains($0.key) }
            }
        }
        let expected: [NSDictionary] = [
            ["class": "genp", "svce": "chat", "acct": "ana", "pdmn": "ck", "v_Data": Data("secret".utf8)],
            ["class": "keys", "type": "42", "bsiz": 2048, "sync": false, "v_Data": Data([0, 255])],
        ]
        #expect(try items("a.json").map { $0 as NSDictionary } == expected)
        let list: [[String: Any]] = [
            ["kSecClass": "kSecClassInternetPassword", "kSecAttrServer": "a.example", "kSecValueData": Data([7])]
        ]
        for (name, format) in [("a.plist", PropertyListSerialization.PropertyListFormat.xml), ("b.plist", .binary)] {
            let bytes = try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
            try workshop.write(Array(bytes), to: name)
            let item: NSDictionary = ["class": "inet", "srvr": "a.example", "v_Data": Data([7])]
            #expect(try items(name).map { $0 as NSDictionary } == [item])
        }
    }

    @Test(
        arguments: [
            ("{}", "not an array of items, as JSON or as a property list"), ("[1]", "not an array of items"),
            ("[{}]", "item 1: kSecClass is missing"),
            (#"[{"kSecClass":"genp"}]"#, "item 1: kSecClass takes kSecClassGenericPassword"),
            (#"[{"kSecClass":"kSecClassKey","account":"a"}]"#, "'account' is not a member of an item"),
            (#"[{"kSecClass":"kSecClassKey","kSecAttrLabel":1}]"#, "kSecAttrLabel takes a text"),
            (#"[{"kSecClass":"kSecClassKey","kSecAttrPort":"1"}]"#, "kSecAttrPort takes a whole number"),
            (#"[{"kSecClass":"kSecClassKey","kSecAttrSynchronizable":1}]"#, "kSecAttrSynchronizable takes true"),
            (#"[{"kSecClass":"kSecClassKey","kSecValueData":{"base64":"?"}}]"#, "kSecValueData takes a text, or"),
            (
                #"[{"kSecClass":"kSecClassKey"},{"kSecClass":"kSecClassKey","kSecAttrAccessible":"ck"}]"#,
                "item 2: kSecAttrAccessible takes kSecAttrAccessibleAfterFirstUnlock"
            ),
        ])
    func `what is not an item of the keychain is named`(json: String, message: String) throws {
        let workshop = try Workshop()
        try workshop.write(json, to: "keychain.json")
        let error = #expect(throws: PlainError.self) {
            try KeychainSeed.read(workshop.path("keychain.json"))
        }
        #expect(error?.message.contains("keychain.json: ") == true && error?.message.contains(message) == true)
    }
}
