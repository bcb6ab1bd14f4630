import Foundation
package import KinCore

/// Numbers that JSON allows and that are difficult for arithmetic.
package enum HostileNumbers {
    /// Signed zeros, values that underflow in single or double precision, values that overflow in either or in 32 or 64
    /// bits, and the neighbours of common values.
    package static let all = [
        "0", "-0", "-0.0", "1e-200", "-1e-200", "4.9e-324", "-4.9e-324", "2.2250738585072014e-308", "1e-45", "1e-40",
        "1.1754943508222875e-38", "1e38", "3.5e38", "1e308", "-1e308", "1.7976931348623157e308", "1e999", "1000000000",
        "1e9", "2147483647", "2147483648", "4294967296", "9007199254740993", "9223372036854775807",
        "9223372036854775808", "-9223372036854775808", "18446744073709551615", "18446744073709551616",
        "1e18", "0.5", "1", "-1", "2", "1.0000001", "0.1", "365", "100000000000000000000000000000000000000000",
    ]

    /// The places of the numbers in a JSON text, without those inside strings.
    package static func places(in json: String) -> [Range<String.Index>] {
        json.matches(of: /"(?:[^"\\]|\\.)*"|-?[0-9][0-9+\-.eE]*/).map(\.range).filter { json[$0.lowerBound] != "\"" }
    }

    /// The text with a different number in one place; unchanged if it has no number.
    package static func mutated(_ json: String, _ random: inout SeededGenerator) -> String {
        let places = places(in: json)
        guard !places.isEmpty else { return json }
        let place = places[random.below(places.count)]
        return json.replacingCharacters(in: place, with: all[random.below(all.count)])
    }
}
