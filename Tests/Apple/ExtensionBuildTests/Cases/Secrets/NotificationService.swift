// As public extensions are written.
// swift-format-ignore-file: NeverForceUnwrap

import CommonCrypto
import UserNotifications

// Decrypts in the ways that public extensions do. The title is how many ways there are, the body those that failed.

class NotificationService: UNNotificationServiceExtension {
    private var passed = 0
    private var failed: [String] = []

    override func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        checkCommonCrypto()
        checkKeys()
        content.setValue("\(passed) ways", forKey: "title")
        content.body = failed.isEmpty ? "none failed" : failed.joined(separator: ", ")
        contentHandler(content)
    }

    private func check(_ name: String, _ passes: Bool) {
        if passes { passed += 1 } else { failed.append(name) }
    }

    private func bytes(_ hex: String) -> [UInt8] {
        let digits = Array(hex)
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(String(digits[$0...($0 + 1)]), radix: 16)! }
    }

    private func checkCommonCrypto() {
        // NIST SP 800-38A, F.2.2, the first block, without padding.
        var plain = [UInt8](repeating: 0, count: 16)
        var moved = 0
        let status = CCCrypt(
            CCOperation(kCCDecrypt), CCAlgorithm(kCCAlgorithmAES), 0, bytes("2b7e151628aed2a6abf7158809cf4f3c"),
            kCCKeySizeAES128, bytes("000102030405060708090a0b0c0d0e0f"), bytes("7649abac8119b246cee98e9b12e9197d"), 16,
            &plain, 16, &moved)
        check("AES", status == kCCSuccess && moved == 16 && plain == bytes("6bc1bee22e409f96e93d7e117393172a"))
        let key = [UInt8](repeating: 7, count: kCCKeySizeAES256)
        var sealed = [UInt8](repeating: 0, count: 32)
        let options = CCOptions(kCCOptionPKCS7Padding)
        CCCrypt(UInt32(kCCEncrypt), UInt32(kCCAlgorithmAES), options, key, 32, nil, "lunch", 5, &sealed, 32, &moved)
        check("padding", moved == 16)
        CCCrypt(UInt32(kCCDecrypt), UInt32(kCCAlgorithmAES), options, key, 32, nil, sealed, 16, &plain, 16, &moved)
        check("padded", moved == 5 && String(decoding: plain[..<5], as: UTF8.self) == "lunch")
        check("key size", CCCrypt(0, 0, options, key, 5, nil, sealed, 16, &plain, 16, &moved) == kCCKeySizeError)
        check("room", CCCrypt(0, 0, options, key, 32, nil, sealed, 16, &plain, 16, &moved) == kCCBufferTooSmall)
        check("alignment", CCCrypt(1, 0, 0, key, 32, nil, sealed, 15, &plain, 16, &moved) == kCCAlignmentError)
        // FIPS 180-2, B.1; RFC 4231, test case 2; RFC 6070, the first test vector.
        var digest = [UInt8](repeating: 0, count: Int(CC_SHA256_DIGEST_LENGTH))
        CC_SHA256("abc", CC_LONG(3), &digest)
        check("SHA-256", digest == bytes("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"))
        let question = "what do ya want for nothing?"
        CCHmac(CCHmacAlgorithm(kCCHmacAlgSHA256), "Jefe", 4, question, question.count, &digest)
        check("HMAC", digest == bytes("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"))
        var derived = [UInt8](repeating: 0, count: 20)
        CCKeyDerivationPBKDF(
            CCPBKDFAlgorithm(kCCPBKDF2), "password", 8, Array("salt".utf8), 4,
            CCPseudoRandomAlgorithm(kCCPRFHmacAlgSHA1), 1, &derived, 20)
        check("PBKDF2", derived == bytes("0c60c80f961f0e71f3a9b524af6012062fe037a6"))
    }

    private func checkKeys() {
        let text = Data("lunch".utf8) as CFData
        var error: Unmanaged<CFError>?
        func key(_ type: CFString, _ bits: Int) -> SecKey {
            SecKeyCreateRandomKey([kSecAttrKeyType: type, kSecAttrKeySizeInBits: bits] as CFDictionary, nil)!
        }
        let rsa = key(kSecAttrKeyTypeRSA, 2048)
        let item: [CFString: Any] = [
            kSecClass: kSecClassKey, kSecAttrApplicationTag: Data("tag".utf8), kSecValueRef: rsa,
        ]
        check("storing", SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
        var found: CFTypeRef?
        let query: [CFString: Any] = [
            kSecClass: kSecClassKey, kSecAttrApplicationTag: Data("tag".utf8), kSecReturnRef: true,
        ]
        check("finding", SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess && found as? SecKey == rsa)
        for algorithm: SecKeyAlgorithm in [.rsaEncryptionOAEPSHA256, .rsaEncryptionOAEPSHA1, .rsaEncryptionPKCS1] {
            let sealed = SecKeyCreateEncryptedData(SecKeyCopyPublicKey(rsa)!, algorithm, text, nil)!
            check("\(algorithm.rawValue)", SecKeyCreateDecryptedData(rsa, algorithm, sealed, nil) == text)
        }
        check("a wrong text", SecKeyCreateDecryptedData(rsa, .rsaEncryptionOAEPSHA256, text, &error) == nil)
        check("its error", error!.takeRetainedValue().code == Int(errSecParam))
        let one = key(kSecAttrKeyTypeECSECPrimeRandom, 256)
        let other = key(kSecAttrKeyTypeECSECPrimeRandom, 256)
        for (signer, algorithm): (SecKey, SecKeyAlgorithm) in [
            (rsa, .rsaSignatureMessagePKCS1v15SHA256), (one, .ecdsaSignatureMessageX962SHA256),
        ] {
            let signature = SecKeyCreateSignature(signer, algorithm, text, nil)!
            let forged = Data("dinner".utf8) as CFData
            check("signature", SecKeyVerifySignature(SecKeyCopyPublicKey(signer)!, algorithm, text, signature, nil))
            check("forgery", !SecKeyVerifySignature(signer, algorithm, forged, signature, nil))
        }
        let secrets = [(one, other), (other, one)].map { mine, theirs in
            SecKeyCopyKeyExchangeResult(
                mine, .ecdhKeyExchangeStandard, SecKeyCopyPublicKey(theirs)!, [:] as CFDictionary, nil)!
        }
        check("agreement", secrets[0] == secrets[1] && secrets[0].length == 32)
        let ecies = SecKeyAlgorithm.eciesEncryptionCofactorVariableIVX963SHA256AESGCM
        let sealed = SecKeyCreateEncryptedData(SecKeyCopyPublicKey(one)!, ecies, text, nil)!
        check("ECIES", SecKeyCreateDecryptedData(one, ecies, sealed, nil) == text)
        check("another's key", SecKeyCreateDecryptedData(other, ecies, sealed, nil) == nil)
        let copy = SecKeyCopyExternalRepresentation(one, nil)!
        let options = [kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeyClass: kSecAttrKeyClassPrivate] as CFDictionary
        check("a copy", SecKeyCreateWithData(copy, options, nil) == one)
        check("no key", SecKeyCreateWithData(text, options, nil) == nil)
    }
}
