import Foundation
import PushJSON
import PushSystem
import TestSupport
import Testing

@testable import PushAssistant

struct AllowedFolderTests {
    private let folder: TestFolder
    private let folders: AllowedFolders

    init() throws {
        folder = try TestFolder(["inside/a.json": "{}", "inside/deep/a.json": "{}", "inside2/b.json": "{}"])
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("inside/link.json"), withDestinationPath: folder.path("inside2/b.json"))
        folders = try AllowedFolders([folder.path("inside")])
    }

    private func path(_ name: String) -> String { folder.path(name) }

    @Test func `a file below the folder is read`() throws {
        #expect(try folders.resolve(path("inside/a.json")).hasSuffix("/inside/a.json"))
        #expect(try folders.resolve(path("inside/deep/../a.json")).hasSuffix("/inside/a.json"))
    }

    @Test(arguments: ["inside2/b.json", "inside/../inside2/b.json", "inside/link.json", "nothing.json"])
    func `no other file is, nor is it said whether there is one`(name: String) {
        #expect {
            try folders.resolve(path(name))
        } throws: { ("\(($0 as? PlainError)?.message ?? "")").contains("--allow") }
    }

    /// A folder with stores is read as one: the links in it, too.
    @Test func `a folder with stores has none from elsewhere`() throws {
        let files = FileManager.default
        #expect {
            try folders.resolveStore(path("inside"))
        } throws: { ("\(($0 as? PlainError)?.message ?? "")").contains("inside/link.json is not below") }
        try files.removeItem(atPath: path("inside/link.json"))
        for (link, target) in [("same", "inside/a.json"), ("gone", "inside2/nothing"), ("folder", "inside2")] {
            try files.createSymbolicLink(atPath: path("inside/\(link)"), withDestinationPath: path(target))
        }
        #expect(try folders.resolveStore(path("inside")).hasSuffix("/inside"))
        #expect(try folders.resolveStore(path("inside/a.json")).hasSuffix("/inside/a.json"))
        #expect(throws: PlainError.self) { try folders.resolveStore(path("inside2")) }
    }

    @Test(arguments: [
        ("http://127.0.0.1:2197", "http://127.0.0.1:2197"), ("http://localhost:80/", "http://127.0.0.1:80"),
        ("HTTP://[::1]:2197", "http://[::1]:2197"),
    ])
    func `a gateway is on this machine`(text: String, address: String) {
        #expect(GatewayAddress(text)?.text == address)
    }

    @Test(arguments: [
        "https://127.0.0.1:2197", "http://example.org:2197", "http://127.0.0.1", "http://127.0.0.1:0", "127.0.0.1:2197",
        "http://127.0.0.1.example.org:80", "http://user@127.0.0.1:80", "http://127.0.0.1:2197/a",
    ])
    func `no other address is a gateway`(text: String) { #expect(GatewayAddress(text) == nil) }
}
