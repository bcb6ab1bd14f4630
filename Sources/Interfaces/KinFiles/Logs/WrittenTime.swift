/// A date and time as people and trackers write them: ISO 8601, 3/4/26 3:30 PM, 14 May 2026 at 3:30 pm, seconds since 1970,
/// or the days of a spreadsheet.
struct WrittenTime {
    /// The year, month and day; month and day in written order if they are only numbers.
    private var year: Int?
    private var first = 0
    private var second = 0
    /// Whether a date has its day and month as two numbers before or after the year, in either order.
    private(set) var isOrderOpen = false
    /// The three numbers of an open date if each has two digits, so that the first may be the year; empty for others.
    private(set) var short: [Substring] = []
    /// The separator of an open date.
    private(set) var separator: Character = "/"
    /// Whether the month may be the short name of a Tuesday instead.
    private var isMaybeWeekday = false
    private var clock: [Substring] = []
    private var isAfternoon: Bool?
    /// The offset from UTC, `+02:00` or `Z`; empty for none.
    private(set) var offset = ""
    private var instant: String?

    /// Reads a text; nil for one that is not a time.
    init?(_ text: String) {
        let basic = Self.basic(text)
        if basic == nil, let time = Self.secondsSince1970(text) ?? Self.spreadsheetDay(text) {
            instant = time
            return
        }
        // The name of a zone after the offset: [Europe/Berlin], (Central European Time). It may be the offset: (CEST).
        var sides = (basic ?? text).split(maxSplits: 1) { "[(".contains($0) }
        if sides.count > 1, let end = sides[1].firstIndex(of: ")"), sides[1][..<end].count == 1 {
            // The day of the week: 2026/02/26(木) 09:10.
            sides = ["\(sides[0]) \(sides[1][sides[1].index(after: end)...])"]
        }
        for word in Self.words(Self.withoutIdeographs(String(sides.first ?? ""))) where !take(word) { return nil }
        if sides.count > 1 {
            let name = sides[1].filter { $0 != ")" }
            guard !offset.isEmpty || !clock.isEmpty && take(name[...]) && !offset.isEmpty else { return nil }
        }
        // A number such as 1930 is not a date, and 19.45 is not a day of 2045.
        guard year == nil ? !clock.isEmpty : first > 0 && second > 0 else { return nil }
    }

    /// Whether a time, or the start of a range, has a date and not only a time of day.
    static func hasDate(_ text: String) -> Bool {
        if isISO(text) { return true }
        guard let time = WrittenTime(text) else { return range(text).map { hasDate($0.start) } ?? false }
        return time.year != nil || time.instant != nil || time.isDayWithoutYear
    }

    /// The hours of a text as written, if its times may be of a clock of 12 hours without AM and PM; nil for other times.
    static func halfDayHours(_ text: String) -> [String]? {
        let times = (range(text).map { [$0.start, $0.end] } ?? [text]).compactMap {
            WrittenTime($0) ?? WrittenTime(clock: $0)
        }.filter { !$0.clock.isEmpty || $0.instant != nil }
        let isOpen = times.allSatisfy {
            $0.isAfternoon == nil && $0.offset.isEmpty && (1...12).contains($0.clock.first.flatMap { Int($0) } ?? 0)
        }
        return isOpen ? times.map { String($0.clock[0]) } : nil
    }

    /// Whether a text has a time of day, or is a range of such times.
    static func hasClock(_ text: String) -> Bool {
        guard !isISO(text) else { return text.utf8.count > 10 }
        return WrittenTime(text).map { !$0.clock.isEmpty || $0.instant != nil } ?? (range(text) != nil)
    }

    /// Whether a text is a date without a time of day.
    static func isDate(_ text: String) -> Bool {
        guard !isISO(text) else { return text.utf8.count == 10 }
        return WrittenTime(text).map { $0.year != nil && $0.first > 0 && $0.second > 0 && $0.clock.isEmpty } ?? false
    }

    /// Whether a month or a day is written and the year is not.
    var isDayWithoutYear: Bool { year == nil && first > 0 }

    /// The two times of a range, such as 08:49-10:10 or 5 May 2026 8:49 am → 10:10 am; nil for other texts.
    static func range(_ text: String) -> (start: String, end: String)? {
        for mark in ["→", "–", "—", " - ", "-", "~", "/", " to ", " until ", " bis ", " à "] {
            let sides = text.split(separator: mark, omittingEmptySubsequences: false).map { String($0).trimmed }
            if sides.count == 2, sides.allSatisfy({ isISO($0) || WrittenTime($0)?.clock.isEmpty == false }) {
                return (sides[0], sides[1])
            }
        }
        return nil
    }

    /// The order of day and month that the numbers leave open or decide.
    var order: DateOrder? {
        guard isOrderOpen else { return nil }
        if first > 12, second <= 12 { return .dayFirst }
        return second > 12 && first <= 12 ? .monthFirst : nil
    }

    /// Whether one of the two numbers of an open date can be a month.
    var isPossible: Bool { min(first, second) <= 12 }

    /// The time as ISO 8601; nil for a date or time of day that does not exist.
    ///
    /// - Parameters:
    ///   - dates: The order of day and month.
    ///   - day: The date for a time of day without a date, `2026-01-05`.
    func iso(_ dates: DateOrder, on day: String? = nil) -> String? {
        if let instant { return instant }
        var (year, month, date) = (year, first, second)
        // The day of an end without a year is after that of the start.
        if isDayWithoutYear, let day {
            year = Int(day.prefix(4)).map { $0 + (day.contains("-12-") && first == 1 ? 1 : 0) }
        }
        if isOrderOpen, dates == .dayFirst { (month, date) = (second, first) }
        if !short.isEmpty, dates == .yearFirst, let last = year {
            (year, month, date) = (2000 + first, second, last - 2000)
        }
        guard
            let day = year.map({
                [Self.digits($0, 4), Self.digits(month, 2), Self.digits(date, 2)].joined(separator: "-")
            }) ?? day
        else { return nil }
        guard !clock.isEmpty else { return isAfternoon == nil && offset.isEmpty ? day : nil }
        let seconds = clock.count > 2 ? String(clock[2]) : "00"
        guard var hour = Int(clock[0]), let minute = Int(clock[1]), clock[1].count == 2, let second = Double(seconds)
        else { return nil }
        if let isAfternoon {
            // Some trackers write PM after hours up to 23.
            if isAfternoon, hour < 12 { hour += 12 }
            if !isAfternoon, hour > 12 { return nil }
            if !isAfternoon, hour == 12 { hour = 0 }
        }
        if hour == 24, minute == 0, second == 0 {
            return (try? LocalDateTime(parsing: day)).map {
                LocalDateTime(localMinutes: $0.localMinutes + 1440).date + "T00:00:00" + offset
            }
        }
        guard (0...23).contains(hour), (0...59).contains(minute), (0..<60).contains(second) else { return nil }
        return "\(day)T\(Self.digits(hour, 2)):\(Self.digits(minute, 2)):"
            + (seconds.prefix { $0 != "." }.count == 1 ? "0" : "")
            + seconds + offset
    }

    /// A number with zeros before it.
    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }

    /// Whether a text is ISO 8601 in the form that the readers of times accept, as most texts are.
    static func isISO(_ text: String) -> Bool {
        var matched = 0
        for byte in text.utf8 {
            guard matched < isoPattern.count else { break }
            let wanted = isoPattern[matched]
            let isDigit = (0x30...0x39).contains(byte)
            let isRight = wanted == 0x64 ? isDigit : wanted == 0x54 ? byte == 0x54 || byte == 0x20 : byte == wanted
            // The hour 24 is of the next day.
            if !isRight || matched == 12 && byte == 0x34 && text.utf8.dropFirst(11).first == 0x32 { break }
            matched += 1
        }
        guard matched == 10 || matched == 16 || matched == 19 else { return false }
        if matched == text.utf8.count { return true }
        var rest = text.utf8.dropFirst(matched)
        if matched == 19, rest.first == 0x2E { rest = rest.dropFirst().drop { (0x30...0x39).contains($0) } }
        if rest.isEmpty { return true }
        if matched == 10 { return false }
        if rest.elementsEqual("Z".utf8) { return true }
        guard rest.count == 6, rest.first == 0x2B || rest.first == 0x2D else { return false }
        return rest.dropFirst().enumerated().allSatisfy { $0 == 2 ? $1 == 0x3A : (0x30...0x39).contains($1) }
            && isOffset(hours: text.suffix(5).prefix(2), minutes: text.suffix(2))
    }

    /// Whether a clock of the world has an offset from UTC: up to 14 hours, in quarters of an hour.
    private static func isOffset(hours: some StringProtocol, minutes: some StringProtocol) -> Bool {
        (Int(hours) ?? 24) <= 14 && ["00", "15", "30", "45"].contains(String(minutes))
    }

    /// The form of a date and time; d is a digit, T may be a space.
    private static let isoPattern = Array("dddd-dd-ddTdd:dd:dd".utf8)

    /// A time written 20260301, 20260301T0708 or 202603010708, with separators; nil for other texts.
    private static func basic(_ text: String) -> String? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        var rest = text.dropFirst(digits.count)
        var time = digits.dropFirst(8)
        if digits.count == 8, rest.first == "T" || rest.first == " " {
            let clock = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
            if clock.count != 2 { (time, rest) = (clock, rest.dropFirst(1 + clock.count)) }
        }
        func part(_ start: Int) -> Substring { digits.dropFirst(start).prefix(2) }
        guard digits.count >= 8, [0, 4, 6].contains(time.count), ["19", "20"].contains(part(0)),
            part(4) <= "12", part(6) <= "31", time.prefix(2) <= "24"
        else { return nil }
        let clock = (0..<time.count / 2).map { time.dropFirst(2 * $0).prefix(2) }.joined(separator: ":")
        return "\(digits.prefix(4))-\(part(4))-\(part(6)) \(clock)\(rest)"
    }

    /// The date of a spreadsheet as ISO 8601, with the time of day for a fraction: days since 1899-12-30, in the years 2000
    /// to 2049; nil for other texts.
    static func spreadsheetDay(_ text: String) -> String? {
        guard let days = CSVField.number(text, decimalComma: true), days >= 36_526, days < 54_789,
            text.utf8.allSatisfy({ (0x2C...0x39).contains($0) })
        else { return nil }
        let time = LocalDateTime(localMinutes: (days - 25_569) * 1440)
        return days == days.rounded() ? time.date : time.description
    }

    /// A text with the Chinese, Japanese and Korean words for parts of dates replaced: 2026年2月26日 上午9:10.
    private static func withoutIdeographs(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 >= 0xE3 }) else { return text }
        return ideographs.reduce(text) { $0.replacing($1.0, with: $1.1) }
    }

    private static let ideographs = [
        ("午前", "AM "), ("上午", "AM "), ("오전", "AM "), ("午後", "PM "), ("下午", "PM "), ("오후", "PM "), ("년 ", "-"),
        // Twelve in the evening is midnight, and the text leaves its day open.
        ("晚上12", "?"), ("晚上", "PM "), ("凌晨", "AM "), ("早上", "AM "), ("清晨", "AM "), ("새벽", "AM "), ("아침", "AM "),
        ("저녁", "PM "),
        ("월 ", "-"),
        ("年", "-"), ("月", "-"), ("日", " "), ("년", "-"), ("월", "-"), ("일", " "), ("時", ":"), ("时", ":"), ("點", ":"),
        ("点", ":"), ("시 ", ":"), ("시", ":"), ("分", ""), ("분", ""),
    ]

    /// The words of a text; a T or a comma between date and time divides them.
    private static func words(_ text: String) -> [Substring] {
        // 26. 02. 2026 and 2026. 2. 26. are dates with spaces after their dots.
        let isSpaced = text.contains(". ")
        var characters = Array(
            isSpaced
                ? text.replacing(/^(?:\d\d?\. \d\d?\. (?=\d{4})|\d{4}\. \d\d?\. (?=\d))/) { $0.0.filter { $0 != " " } }
                : text)
        for index in characters.indices {
            let character = characters[index]
            let isMark =
                character == "T" && index > 0 && index + 1 < characters.count && characters[index - 1].isNumber
                && characters[index + 1].isNumber
            if character == "," || character.isWhitespace || isMark { characters[index] = " " }
        }
        return String(characters).split(separator: " ")
    }

    private mutating func take(_ word: Substring) -> Bool {
        // The day after, next to a time of day.
        if word == "+1", year == nil { return !clock.isEmpty }
        // 09:30:05,123
        if clock.count == 3, clock[2].count == 2, word.count == 3, word.allSatisfy(\.isNumber) {
            clock[2] += "." + word
            return true
        }
        if let first = word.first, first == "+" || first == "-" { return !clock.isEmpty && takeOffset(word) }
        let lower = word.lowercased().filter { $0 != "." || word.contains(":") || word.first?.isNumber == true }
        switch lower {
        case "at", "à", "", "uhr", "um", "de", "às", "as", "kl", "klo", "om", "alle", "ore", "saat", "в", "г", "feira",
            "uur", "h", "u", "ч":
            return true
        case "am", "a", "ص", "öö", "fm", "ap", "πμ", "pm", "p", "م", "ös", "em", "ip", "μμ":
            isAfternoon = ["pm", "p", "م", "ös", "em", "ip", "μμ"].contains(lower)
            return true
        case "m": return isAfternoon != nil
        case "z", "utc", "gmt": return takeOffset("Z")
        default: break
        }
        if let offset = Self.zones[lower] { return takeOffset(offset) }
        if lower.hasPrefix("utc") || lower.hasPrefix("gmt") { return takeOffset(word.dropFirst(3)) }
        if word.contains(":") { return takeClock(word) }
        // 7pm
        let hour = lower.prefix { $0.isASCII && $0.isNumber }
        if (1...2).contains(hour.count), ["am", "pm", "a", "p"].contains(lower.dropFirst(hour.count)) {
            return takeClock("\(hour):00\(lower.dropFirst(hour.count))"[...])
        }
        // 7h08 is a time in French.
        let parts = word.split(separator: "h", omittingEmptySubsequences: false)
        if parts.count == 2, parts.allSatisfy({ Int($0) != nil }) {
            return takeClock(parts.joined(separator: ":")[...])
        }
        return takeDate(word)
    }

    private mutating func takeOffset(_ word: Substring) -> Bool {
        guard offset.isEmpty else { return false }
        if word == "Z" {
            offset = "Z"
            return true
        }
        let digits = word.dropFirst().filter { $0 != ":" }
        guard digits.allSatisfy(\.isNumber), let sign = word.first, [1, 2, 4].contains(digits.count) else {
            return false
        }
        let hours = digits.count < 4 ? digits : String(digits.prefix(2))
        let minutes = digits.count == 4 ? String(digits.suffix(2)) : "00"
        offset = "\(sign)\(hours.count == 1 ? "0" : "")\(hours):\(minutes)"
        return Self.isOffset(hours: hours, minutes: minutes)
    }

    /// Reads 3:30, 03:30:05.5, 3:30pm or 03:30:05+02:00.
    private mutating func takeClock(_ word: Substring) -> Bool {
        guard clock.isEmpty else { return false }
        let digits = word.prefix { $0.isASCII && ($0.isNumber || $0 == ":" || $0 == ".") }
        clock = digits.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(clock.count), clock.allSatisfy({ !$0.isEmpty }), clock[0].count <= 2 else {
            return false
        }
        let rest = word.dropFirst(digits.count)
        // 08:49-10:10 is a range.
        if rest.first == "-", year == nil, clock.count == 2 { return false }
        return rest.isEmpty || take(rest)
    }

    private mutating func takeDate(_ word: Substring) -> Bool {
        let parts = word.split { "/-.".contains($0) }
        // 26.02.2026 09.10
        if year != nil, clock.isEmpty, (2...3).contains(parts.count),
            parts.allSatisfy({ $0.count <= 2 && Int($0) != nil })
        {
            return takeClock(word.filter { $0 != "-" && $0 != "/" }.replacing(".", with: ":")[...])
        }
        if parts.count == 3, parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }) {
            let numbers = parts.compactMap { Int($0) }
            guard year == nil, numbers.count == 3, let mark = word.first(where: { !$0.isNumber }) else { return false }
            if parts[0].count == 4 {
                (year, first, second) = (numbers[0], numbers[1], numbers[2])
            } else {
                guard parts[2].count == 2 || parts[2].count == 4 else { return false }
                (year, first, second) = (parts[2].count == 2 ? 2000 + numbers[2] : numbers[2], numbers[0], numbers[1])
                (isOrderOpen, separator, short) = (true, mark, parts.allSatisfy { $0.count == 2 } ? parts : [])
            }
            return true
        }
        return parts.allSatisfy { takeNamed($0.lowercased()) }
    }

    /// Reads a part of 14 May 2026.
    private mutating func takeNamed(_ part: String) -> Bool {
        func place(in names: [[Substring]]) -> Int? {
            part.count < 3 ? nil : names.firstIndex { $0.contains { $0.hasPrefix(part) } }
        }
        if let month = place(in: Self.months) {
            // mar. 3 mars: a Tuesday before a month.
            guard first == 0 || isMaybeWeekday else { return false }
            (first, isMaybeWeekday) = (month + 1, first == 0 && part == "mar")
            return true
        }
        if place(in: Self.weekdays) != nil || Self.shortWeekdays.contains(part) { return true }
        guard let number = Int(part.prefix { $0.isNumber }),
            ["", "st", "nd", "rd", "th", "er", "º", "°"].contains(part.drop { $0.isNumber })
        else { return false }
        // 14-May-26 is of 2026.
        if number > 31 || first != 0 && second != 0 && part.count == 2 {
            guard year == nil else { return false }
            year = number < 100 ? 2000 + number : number
        } else {
            guard second == 0 else { return false }
            second = number
        }
        return true
    }

    /// The months in the languages of most logs.
    private static let months = [
        "january januar janvier enero janeiro gennaio januari styczeń stycznia января январь ocak tammikuuta",
        "february februar février fevrier febrero fevereiro febbraio februari luty lutego февраля февраль şubat helmikuuta",
        "march märz maerz mrz mars marzo março maart mrt marts marzec marca марта март maaliskuuta",
        "april avril abril aprile kwiecień kwietnia апреля апрель nisan huhtikuuta",
        "may mai mayo maio maggio mei maj maja мая май mayıs toukokuuta",
        "june juni juin junio junho giugno czerwiec czerwca июня июнь haziran kesäkuuta",
        "july juli juillet julio julho luglio lipiec lipca июля июль temmuz heinäkuuta",
        "august août aout agosto augustus augusti sierpień sierpnia августа ağustos elokuuta",
        "september septembre septiembre setembro settembre wrzesień września сентября eylül syyskuuta",
        "october oktober octobre octubre outubro ottobre październik października октября ekim lokakuuta",
        "november novembre noviembre novembro listopad listopada ноября kasım marraskuuta",
        "december dezember décembre decembre diciembre dezembro dicembre grudzień grudnia декабря aralık joulukuuta",
    ].map { $0.split(separator: " ") }
    private static let weekdays = [
        "monday tuesday wednesday thursday friday saturday sunday",
        "montag dienstag mittwoch donnerstag freitag samstag sonntag",
        "lundi mardi mercredi jeudi vendredi samedi dimanche", "lunes martes miércoles jueves viernes sábado domingo",
        "lunedì martedì mercoledì giovedì venerdì sabato domenica", "segunda terça quarta quinta sexta sábado domingo",
        "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
        "poniedziałek wtorek środa czwartek piątek sobota niedziela",
        "måndag tisdag onsdag torsdag fredag lördag söndag",
        "mandag tirsdag onsdag torsdag fredag lørdag søndag",
        "понедельник вторник среда четверг пятница суббота воскресенье",
        "pazartesi salı çarşamba perşembe cuma cumartesi pazar pzt cmt",
        "maanantai tiistai keskiviikko torstai perjantai lauantai sunnuntai",
    ].map { $0.split(separator: " ") }
    private static let shortWeekdays = Set(
        "mo di mi do fr sa so ma wo vr za zo wt śr pt pn cz ti ke to pe la su пн вт ср чт пт сб вс".split(
            separator: " "
        )
        .map(String.init))

    /// The offsets of the zones of Europe and North America that clocks name in short.
    private static let zones: [String: Substring] = [
        "wet": "+00", "west": "+01", "bst": "+01", "cet": "+01", "cest": "+02", "mez": "+01", "mesz": "+02",
        "eet": "+02", "eest": "+03", "est": "-05", "edt": "-04", "cst": "-06", "cdt": "-05", "mst": "-07",
        "mdt": "-06", "pst": "-08", "pdt": "-07",
    ]
}
