import CryptoKit
import EncryptedMessage
import Foundation
import ServiceExtension
import Testing
import UserNotifications

@Suite(.serialized) struct EncryptedMessageTests {
    private let key = SymmetricKey(size: .bits256)

    /// Stores a key where the app would.
    private func store(_ key: SymmetricKey) throws {
        let folder = try #require(
            FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: NotificationService.group))
        try key.withUnsafeBytes { Data($0) }.write(to: folder.appendingPathComponent(NotificationService.keyFile))
    }

    private func deliver(_ box: String) async throws -> ServiceExtensionResult {
        try await ServiceExtensionHarness { NotificationService() }.deliver(
            #"{"aps":{"alert":"New message","mutable-content":1},"box":"\#(box)"}"#)
    }

    private func sealed(_ text: String) throws -> String {
        try #require(AES.GCM.seal(Data(text.utf8), using: key).combined).base64EncodedString()
    }

    @Test func `the message is shown to whoever has the key`() async throws {
        try store(key)
        let result = try await deliver(sealed(#"{"title":"Ada","body":"The gate opens at six"}"#))
        #expect(result.content?.title == "Ada")
        #expect(result.content?.body == "The gate opens at six")
        #expect(result.content?.userInfo["box"] == nil)
    }

    @Test func `with another key the text says nothing`() async throws {
        try store(SymmetricKey(size: .bits256))
        let result = try await deliver(sealed(#"{"title":"Ada","body":"The gate opens at six"}"#))
        #expect(result.outcome == .modified)
        #expect(result.content?.title == "" && result.content?.body == "New message")
    }

    @Test(arguments: ["", "AAAA", "not base64", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="])
    func `garbage shows the text of the provider`(_ box: String) async throws {
        try store(key)
        #expect(try await deliver(box).content?.body == "New message")
    }

    @Test func `what was sealed but is no message shows the text of the provider`() async throws {
        try store(key)
        #expect(try await deliver(sealed("[]")).content?.body == "New message")
    }

    @Test func `hashes, codes, agreements and derived keys are there`() throws {
        let hash = SHA256.hash(data: Data("abc".utf8)).map { String(format: "%02x", $0) }.joined()
        #expect(hash == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        let code = HMAC<SHA256>.authenticationCode(for: Data("abc".utf8), using: key)
        #expect(HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: Data("abc".utf8), using: key))
        let (mine, yours) = (Curve25519.KeyAgreement.PrivateKey(), Curve25519.KeyAgreement.PrivateKey())
        let shared = try mine.sharedSecretFromKeyAgreement(with: yours.publicKey)
        #expect(try yours.sharedSecretFromKeyAgreement(with: mine.publicKey) == shared)
        let derived = HKDF<SHA256>.deriveKey(inputKeyMaterial: key, info: Data("push".utf8), outputByteCount: 32)
        #expect(derived != key && derived.bitCount == 256)
    }
}
