/// Numbers with their nouns, for messages.
package enum Plural {
    /// A number and its noun: "1 field", "2 fields".
    package static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
