import Testing

@testable import KinStore

@Suite("The naming key")
struct NamingKeyTests {
    /// The ids were computed independently of this code, from the texts that version 0.1.0 digested. A contribution
    /// sent again after an update has to be recognised.
    @Test(
        "contribution ids equal release 0.1.0's for any printed instant",
        arguments: [
            ("2026-01-05T00:00:00Z", "ed01f9a4b030d90b123d2a98a23b7b87"),
            ("2026-01-05T06:30:00Z", "312448ae94d570612fab0442baab905a"),
        ])
    func contributions(made: String, id: String) throws {
        let key = NamingKey(Array(0..<32))
        let instant = try Timestamp(parsing: made)
        #expect(key.contributionID(author: "u1", made: instant, json: #"{"story":{}}"#) == id)
    }
}
