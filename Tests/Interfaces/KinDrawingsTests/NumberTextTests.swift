import KinDrawings
import Testing

@Suite("Numbers for people")
struct NumberTextTests {
    @Test("numbers have the digits that people need")
    func numbers() {
        #expect(
            [0, 999, 1000, 1_234_567, -45_678].map { (n: Int) in NumberText.count(n) } == [
                "0", "999", "1,000", "1,234,567", "-45,678",
            ])
        #expect(NumberText.count(1, "query") == "1 query")
        #expect(
            ["inbox", "baby", "challenge preferences"].map(NumberText.plural) == [
                "inboxes", "babies", "challenge preferences",
            ])
        #expect(NumberText.count(2, "query") == "2 queries")
        #expect([0, 0.0207025123, 1.5, 1e-9].map(NumberText.short) == ["0", "0.0207025", "1.5", "1e-09"])
        #expect(
            [12, 1234, 88_000_000, 5_000_000_000_000].map { (n: Int) in NumberText.bytes(n) } == [
                "12 bytes", "1.23 kB", "88 MB", "5 TB",
            ])
        let durations: [Duration] = [.nanoseconds(12_340), .microseconds(4567), .milliseconds(1234), .seconds(150)]
        #expect(durations.map(NumberText.duration) == ["12.3 µs", "4.57 ms", "1.23 s", "2 min 30 s"])
        #expect([0.123456, 12.34, 1234.6, 0].map(NumberText.threeDigits) == ["0.123", "12.3", "1,235", "0"])
        #expect([0, 34.6, 59.6, 65].map(NumberText.duration(minutes:)) == ["0 min", "35 min", "1 h 00", "1 h 05"])
    }

    @Test("a share is shown as the whole only if it is the whole")
    func shares() {
        for share in [0.5, 0.9, 0.95, 0.99, 0.995, 0.9999, 0.99995, 0.9999999] {
            for count in [10, 100, 1000, 10_000] {
                let parts = share.parts(of: count)
                #expect(parts < count && abs(Double(parts) - share * Double(count)) <= 1, "\(share) of \(count)")
            }
            #expect(!NumberText.percent(share).hasPrefix("100") && !NumberText.wholePercent(share).hasPrefix("100"))
        }
        #expect([0, 1, 1 - 1e-12].map { $0.parts(of: 10) } == [0, 10, 10])
        #expect([0, 0.9565, 0.99999, 1].map(NumberText.percent) == ["0.00 %", "95.65 %", "99.99 %", "100.00 %"])
        #expect([0.955, 0.999, 1].map(NumberText.wholePercent) == ["96 %", "99 %", "100 %"])
    }
}
