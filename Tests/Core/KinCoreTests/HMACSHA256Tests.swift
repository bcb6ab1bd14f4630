import Testing

@testable import KinCore

/// The code of the naming key, checked against the published digests and a different implementation.
@Suite("HMAC-SHA256") struct HMACSHA256Tests {
    private func text(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    @Test("SHA-256 gives the digests of the FIPS 180-4 examples")
    func examples() {
        #expect(
            text(SHA256.digest(Array("abc".utf8))) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        )
        #expect(
            text(SHA256.digest(Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8)))
                == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
        #expect(text(SHA256.digest([])) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(
            text(SHA256.digest([UInt8](repeating: 0x61, count: 1_000_000)))
                == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    /// The digests of keys and messages of 0 to 300 bytes, hashed together with Python's hashlib and hmac.
    @Test("digests of 0 to 300 bytes equal an independent implementation's")
    func lengths() {
        var (hashes, codes): ([UInt8], [UInt8]) = ([], [])
        for length in 0...300 {
            let message = (0..<length).map { UInt8(($0 * 7 + length) % 256) }
            let key = (0..<length).map { UInt8(($0 * 13 + length * 3) % 256) }
            hashes += SHA256.digest(message)
            codes += HMACSHA256(key: key).code(of: message)
        }
        #expect(text(SHA256.digest(hashes)) == "60d63ff40b5558727a9b786ac0be9300f7ca58fd9ddd3b2f3681b369018a87dc")
        #expect(text(SHA256.digest(codes)) == "a801d73575589a4921b56b357103be73ac72c7168c105c99a182b8d09420ec75")
    }
}
