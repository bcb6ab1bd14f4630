import Foundation

/// The meanings that a column of a log can have.
enum LogField: String, CaseIterable {
    case type, subtype, detail, state, stage, start, end, date, duration, left, right, side, amount, part, unit, wet,
        dirty
    case food, title, category, quality, nap, night, id, author, note, created, updated, removed, zone, born, baby
}

/// A column of a log with its meaning.
struct LogColumn {
    let name: String
    let index: Int
    /// The unit in its name: `ml`, `oz`, `s`, `min` or `h`; or `utc` for times in UTC.
    let unit: String?
}

/// The columns of a log by meaning; columns with one meaning are in order of preference.
struct LogColumns {
    let names: [String]
    var columns: [LogField: [LogColumn]] = [:]
    /// Whether the start and end are those of sleeps by their names.
    private(set) var hasBedtimes = false
    /// Whether a state is that of sleeps by its name.
    private(set) var hasSleepStates = false
    /// The column of amounts that has no name for them, but is the only one with a unit of milk: `Top-up (ml)`.
    private(set) var loneVolume: String?
    /// The sensors of Home Assistant that have the states of an event.
    var sensors: Set<String> = []
    /// The kind of rows whose type has only details, such as both and left; nil if unknown.
    var kindOfDetails: LogWords.Kind?

    /// Finds the meanings of columns.
    ///
    /// - Parameters:
    ///   - names: The names in the file.
    ///   - format: The format of the names; its meanings have priority over those of generic names.
    init(_ names: [String], of format: TrackerFormat?) {
        self.names = names
        var places: [String: Int] = [:]
        for (index, name) in names.enumerated() { places[name.lowercased()] = places[name.lowercased()] ?? index }
        var taken: Set<Int> = []
        for (name, field, unit) in format?.columns ?? [] {
            guard let index = places[name] else { continue }
            taken.insert(index)
            add(field, index, unit)
        }
        let bases = names.map(Self.base)
        var volumes: [Int] = []
        let isLoneDuration = bases.count { $0.base.isEmpty && Self.field(ofUnit: $0.unit) == .duration } == 1
        for (index, (base, unit)) in bases.enumerated() where !taken.contains(index) {
            var field = Self.field(ofBase: base)
            if base.isEmpty || base == "total", let named = Self.field(ofUnit: unit) {
                // Hours and minutes in two columns are parts of one duration, which is not read.
                field = base.isEmpty && named == .duration && !isLoneDuration ? nil : named
            }
            let rest = base.split(separator: " ").filter { !Self.milks.contains($0) }.joined(separator: " ")
            let ofRest = rest.isEmpty ? Self.field(ofUnit: unit) : Self.genericNames[rest]
            if field == nil, rest != base, ofRest == .amount { field = .part }
            // Data is the date in Italian, Portuguese and Polish, but not in English.
            let isData =
                base == "data" && bases.contains { ["start", "start time", "time", "timestamp"].contains($0.base) }
            if field == nil, Self.field(ofUnit: unit) == .amount, !LogWords.isNoMilk(base) { volumes.append(index) }
            guard let field, !isData else { continue }
            add(base == "category" && places["type"] != nil ? .category : field, index, unit)
        }
        // Words such as Bedtime and Wake time are the start and end of sleeps if no other column is.
        if self[.start].isEmpty,
            let start = LogWords.bedtimes.lazy.compactMap({ word in
                bases.firstIndex { $0.base == word && $0.unit == nil }
            }).first,
            let end = bases.firstIndex(where: { LogWords.wakings.contains($0.base) && $0.unit == nil })
        {
            for (field, index) in [(LogField.start, start), (.end, end)] { add(field, index, nil) }
            hasBedtimes = true
        }
        // Names such as Nap length, Minutes asleep and Woke up at are the ends of sleeps that no other column has.
        if !self[.start].isEmpty, self[.end].isEmpty, self[.duration].isEmpty {
            let places = bases.enumerated().filter { !taken.contains($0.offset) }
            for (index, (base, unit)) in places {
                if LogWords.wakings.contains(base), unit == nil {
                    add(.end, index, nil)
                } else if Self.isDuration(base, unit) {
                    add(.duration, index, unit)
                } else if Self.sleepStates.contains(base), unit == nil {
                    add(.state, index, nil)
                    hasSleepStates = true
                }
            }
        }
        // With a column of units, a value is an amount.
        if self[.amount].isEmpty, !self[.unit].isEmpty, let index = bases.firstIndex(where: { $0.base == "value" }) {
            add(.amount, index, nil)
        }
        if self[.amount].isEmpty, self[.part].isEmpty, volumes.count == 1 {
            add(.amount, volumes[0], nil)
            loneVolume = names[volumes[0]]
        }
        // Names such as Timestamp may be the time of the entry, if another column is the start.
        let starts = Dictionary(grouping: self[.start]) { Self.generalStarts.contains(bases[$0.index].base) }
        if starts.count == 2 { columns[.start] = [false, true].flatMap { starts[$0] ?? [] } }
    }

    private static let sleepStates: Set = ["asleep", "sleeping", "is asleep", "is sleeping"]

    /// Whether a name is of the duration of a sleep, and not of the total of a day.
    private static func isDuration(_ base: String, _ unit: String?) -> Bool {
        let words = base.split(separator: " ")
        let rest = words.filter { !["sleep", "nap", "night", "asleep", "slept"].contains($0) }.joined(separator: " ")
        guard rest.count < base.count, !words.contains("total") else { return base == "時間" }
        return rest.isEmpty ? field(ofUnit: unit) == .duration : rest == "time" || genericNames[rest] == .duration
    }

    /// The meaning of a column by its name alone.
    static func field(of name: String) -> LogField? {
        let (base, unit) = base(of: name)
        return field(ofBase: base) ?? (base.isEmpty ? field(ofUnit: unit) : nil)
    }

    /// A column's name without a number, such as Start of Start 2.
    static func withoutNumber(_ name: String) -> String {
        guard name.contains(where: \.isNumber) else { return name }
        let (base, unit) = base(of: name)
        return (base.split(separator: " ").filter { Int($0) == nil } + (unit.map { [Substring($0)] } ?? []))
            .joined(separator: " ")
    }

    /// Whether a place has the date of rows.
    func isDate(_ index: Int) -> Bool { self[.date].contains { $0.index == index } }

    /// The meanings of columns that belong to the event to the left of them.
    static let ofEvents: Set<LogField> = [.end, .amount, .part, .unit, .duration, .side, .subtype]

    /// The event in a column's name, the word for its type, and the words of the rest: `Nap 1 Start` is the start of `nap 1`;
    /// nil for other names.
    static func label(of name: String) -> (label: String, type: String, rest: String)? {
        let (base, unit) = base(of: name)
        // The breast is a side, and minutes of it a feed.
        let isTimed = field(ofUnit: unit) == .duration
        if !isTimed, let field = genericNames[base], field != .start, field != .end { return nil }
        let words = base.split(separator: " ").map(String.init)
        for count in words.indices.reversed().map({ $0 + 1 }) {
            for (label, rest) in [
                (words.prefix(count), words.dropFirst(count)), (words.suffix(count), words.dropLast(count)),
            ] {
                let type = label.joined(separator: " ")
                guard let kind = LogWords.exactKind(type), [.sleep, .feed, .diaper].contains(kind) else { continue }
                let rest = rest.joined(separator: " ")
                if rest.isEmpty { return (type, type, unit ?? "") }
                if let field = genericNames[rest], field == .start || ofEvents.contains(field) {
                    return (type, type, unit.map { "\(rest) (\($0))" } ?? rest)
                }
            }
        }
        return nil
    }

    /// The meaning of a column whose name is only a unit.
    private static func field(ofUnit unit: String?) -> LogField? {
        unit.flatMap { LogQuantity.volumes[$0] != nil ? .amount : $0 == "utc" ? nil : .duration }
    }

    private mutating func add(_ field: LogField, _ index: Int, _ unit: String?) {
        columns[field, default: []].append(
            LogColumn(name: names[index], index: index, unit: unit ?? Self.base(of: names[index]).unit))
    }

    /// Gives a column a meaning, in place of its own.
    mutating func set(_ field: LogField, _ column: LogColumn) {
        columns = columns.mapValues { $0.filter { $0.index != column.index } }.filter { !$0.value.isEmpty }
        columns[field] = [column]
    }

    /// The kind that a row's type names.
    func kind(_ type: String) -> LogWords.Kind? {
        LogWords.kind(type) ?? kindOfDetails.flatMap { LogWords.isDetail(type) ? LogWords.kind(type, of: $0) : nil }
    }

    /// The columns of a meaning.
    subscript(_ field: LogField) -> [LogColumn] { columns[field] ?? [] }

    /// The words of a column's name without units, in lower case, and the unit: `Amount (oz.)` is `amount` in `oz`.
    static func base(of name: String) -> (base: String, unit: String?) {
        if name.utf8.allSatisfy({ (0x61...0x7A).contains($0) }) {
            // Most names are one word.
            return (isOfUnit(name) ? "" : name, units[name])
        }
        var words: [String] = [""]
        var isLower = false
        for character in name {
            guard character.isLetter || character.isNumber else {
                words.append("")
                isLower = false
                continue
            }
            // Units such as mL are one word.
            if isLower && character.isUppercase && !(character == "L" && words.last == "m") { words.append("") }
            isLower = character.isLowercase
            words[words.count - 1] += character.lowercased()
        }
        // Duration (s), duration_m
        if words.count > 1, let index = words.lastIndex(where: { !$0.isEmpty }), index > 0,
            ["s", "m"].contains(words[index])
        {
            words[index] = words[index] == "s" ? "sec" : "min"
        }
        if let index = words.lastIndex(of: "mm"), index > 0, words[index - 1] == "h" { words[index - 1] = "hh" }
        let unit = words.compactMap { units[$0] }.first
        // Duration in minutes.
        for index in words.indices.dropLast() where words[index] == "in" && isOfUnit(words[index + 1]) {
            words[index] = ""
        }
        return (
            words.filter { !$0.isEmpty && !isOfUnit($0) }.joined(separator: " "), unit
        )
    }

    /// Whether a word of a name describes the unit.
    private static func isOfUnit(_ word: String) -> Bool {
        units[word] != nil || ["epoch", "fl", "hh", "mm", "ss"].contains(word)
    }

    private static let units = LogWords.table(
        """
        min: min;mins;minutes;minute;minuten;minutos
        s: sec;secs;seconds;sekunden;secondes;segundos
        h: h;hours;hrs;std;stunden;heures;horas
        ms: ms;millis;milliseconds
        ns: nanos
        utc: utc;gmt
        """, { $0 }
    ).merging(LogQuantity.volumes.filter { $0.key.count > 1 }) { unit, _ in unit }

    /// The words in the names of columns with a part of an amount.
    private static let milks: Set<Substring> = ["milk", "breast", "formula", "expressed", "lait", "leche", "of", "de"]

    /// The names of times that may be of the event or of its entry.
    private static let generalStarts: Set = [
        "time", "timestamp", "datetime", "date time", "date and time", "logged at", "zeit", "uhrzeit", "heure", "hora",
        "ts", "interval", "times", "at",
    ]

    /// The meaning of a name in words without units.
    private static func field(ofBase base: String) -> LogField? {
        genericNames[base] ?? (names(base, children) ? .baby : nil)
    }

    private static let genericNames = LogWords.table(
        """
        type: type;activity;activity type;fitness activity;event;event type;record type;category;typ;art;aktivität
        type: ereignis;activité;tipo;actividad;activity name;tipologia;rodzaj;種類;类型;類型;종류;тип;soort;activiteit
        type: wydarzenie;활동;유형;項目;イベント;categoria;categoría;kategorie;kategoria;événement;evento;attività;atividade
        type: aktywność;tür;aktivitet;type name
        subtype: subtype;sub type;method;status;diaper type;feed type;feeding type
        detail: detail;details;info;kind;value
        state: state;action
        stage: stage;sleep stage;level;sleep level;phase;sleep phase
        start: start;start time;start date;start date time;started;started at;start at;begin;begin time;began;from
        start: time;timestamp;datetime;date time;logged at;starttime;startdate;sleep start;sleep started;bedtime start
        start: ts;interval;time range;times;at;when did it start
        start: beginn;anfang;startzeit;von;zeit;start timestamp;sleep start timestamp;start ts;start datetime;start dt
        start: start local;start time local;time start;when;wann;quand;cuándo;開始日時;시작시간;date and time;uhrzeit;début
        start: time of feeding;debut;heure de début;heure;inicio;hora de inicio;desde;hora;time started;inizio;ora inizio
        start: hora inicio;heure début;heure debut;de;dalle;dal;van;från;fra;od;с;slept at;sleep onset
        start: ora di inizio;início;hora início;begintijd;starttijd;start tijd;początek;starttid;начало;başlangıç;alku
        start: 開始;開始時間;開始時刻;开始;开始时间;시작;시작 시간;ora;godzina;tijd;時刻;时间;시간;saat;время;klockslag;tid;tidspunkt
        end: end timestamp;sleep end timestamp;end ts;end datetime;end dt;end local;end time local;time end;stopped
        end: stopped at;finished;finished at;finish at;schluss;終了日時;종료시간;término;termino;end;end time;end date
        end: end date time;ended;ended at;end at;finish;finish time;finish date;stop;stop time;to;until;endtime
        end: enddate;sleep end;sleep ended;bedtime end;ende;endzeit;bis;fin;heure de fin;hora de fin;hasta;time ended
        end: fine;ora fine;ora di fine;fim;hora fim;eindtijd;einde;eind tijd;koniec;sluttid;slut;конец;окончание;bitiş
        end: hora fin;heure fin;à;alle;al;tot;till;til;do;до;loppu;when did it end;終了;終了時間;終了時刻;结束;结束时间;結束;結束時間;종료;종료 시간
        duration: varighed;dur;len;elapsed;elapsed time;schlafdauer;durata;duração;czas trwania;длительность;时长;時長;how long
        duration: wie lange;duration;length;total duration;total;total time;dauer;durée;duree;duración;duracion;duur
        duration: duration total;소요 시간;süre;kesto;продолжительность
        amount: quantità;quantidade;ilość;количество;量;奶量;hoeveelheid;양;용량;mängd;mængde;mengde;amount;volume;quantity
        amount: amount value;volume value;total amount;menge;quantité;cantidad;miktar;数量;määrä;объем;объём
        amount: amt;qty;qtd;drank;consumed;intake;trinkmenge;milchmenge
        note: notatki;メモ;备注;commentaire;commentaires;remarque;remarques;observações;observaciones;uwagi;opmerking
        note: opmerkingen;메모;비고;備考;anmerkung;bemerkung;kommentar;заметка;заметки;note;notes;comment;comments;notiz
        note: notizen;nota;notas
        side: seite;côté;lado;lato;strona;kant;side;start side;breast side;breast
        date: date;day;datum;jour;fecha;data;dato;päivä;päivämäärä;tarih;дата;日付;日期;날짜
        left: left duration;duration left;left;breast left;left side duration;breast left time
        right: right duration;duration right;right;breast right;right side duration;breast right time
        unit: unit;units;amount unit;volume unit;unit abbr;unit type;einheit;unité;unidad
        wet: wet;pee
        dirty: dirty;solid;poo;poop
        food: food;food type;foods
        title: title
        quality: quality
        nap: nap number
        night: is night sleep
        id: id;uuid;activity key
        author: author;created by;caregiver;created by caregiver;logged by
        created: created;created at
        updated: updated;updated at
        removed: removed;is removed;removed at;deleted;is deleted;deleted at;deleted on;tombstone;trashed
        zone: time zone;timezone;tz;cycle timezone;offset;time offset;start offset;start zone offset;zone offset
        zone: timezone offset;time zone offset;tz offset;start zone offset id
        born: dob;birthdate;date of birth;birth date;birthday;born;profile birth date
        """, LogField.init)
}

/// A row of a log that records which of its columns were read.
struct LogRow {
    /// The number of records before the row, including the header.
    let number: Int
    /// The first line of the row; nil for a row of JSON.
    let line: Int?
    private(set) var fields: [String]
    private(set) var isUsed: [Bool]

    init(number: Int, line: Int?, fields: [String]) {
        (self.number, self.line) = (number, line)
        self.fields = fields.map { Self.isMissing($0) ? "" : WrittenTime.clockOfSpreadsheet($0) ?? $0 }
        isUsed = [Bool](repeating: false, count: fields.count)
    }

    /// Joins the parts of a note with commas that has no quotes, if the note is the last column.
    ///
    /// - Throws: `.malformedInput` for too many fields in a different row.
    mutating func joinNote(_ table: LogTable, _ columns: LogColumns) throws(KinError) {
        let count = table.names.count
        guard let separator = table.separator, fields.dropFirst(count).contains(where: { !$0.isEmpty }) else { return }
        guard separator == "commas", columns[.note].contains(where: { $0.index == count - 1 }) else {
            throw CSVTable.wrongCount(fields.count, expected: count, separator)
        }
        fields = fields[..<(count - 1)] + [fields[(count - 1)...].joined(separator: ",")]
        isUsed = [Bool](repeating: false, count: count)
    }

    /// Whether a field is the word of a program for a missing value, such as pandas' NaN, or only a dash.
    static func isMissing(_ field: String) -> Bool { (1...7).contains(field.utf8.count) && missing.contains(field) }

    private static let missing: Set = [
        "\\N", "NaN", "nan", "NaT", "null", "NULL", "None", "N/A", "n/a", "NA", "<NA>", "-", "--", "---", "–", "—",
        "...", "…", "?", "#N/A", "#REF!", "#VALUE!", "#DIV/0!", "#NAME?", "#NUM!",
    ]

    /// The text of a column without surrounding spaces; empty if the row lacks the column.
    func text(_ column: LogColumn) -> String { text(at: column.index) }

    /// The text of a place without surrounding spaces; empty if the row is shorter.
    func text(at index: Int) -> String { index < fields.count ? fields[index].trimmed : "" }

    /// Whether a place has data other than an empty checkbox.
    func isTicked(at index: Int) -> Bool { !text(at: index).isEmpty && LogWords.isYes(text(at: index)) != false }

    /// Joins the text of a place to that on its left.
    mutating func joinToLeft(_ index: Int) {
        guard index < fields.count else { return }
        fields[index - 1] += " " + fields[index]
        fields[index] = ""
    }

    /// Replaces the data of a place.
    mutating func set(_ text: String, at index: Int) { if index < fields.count { fields[index] = text } }

    /// Marks a column as read.
    mutating func use(_ column: LogColumn) { if column.index < isUsed.count { isUsed[column.index] = true } }

    /// Marks columns as not read.
    mutating func release(_ columns: [LogColumn]) {
        for column in columns where column.index < isUsed.count { isUsed[column.index] = false }
    }

    /// Reads the first column with a text; other columns with the same text count as read.
    mutating func take(_ columns: [LogColumn]) -> (text: String, column: LogColumn)? {
        guard let first = columns.first(where: { !text($0).isEmpty }) else { return nil }
        let found = text(first)
        for column in columns where text(column) == found { use(column) }
        return (found, first)
    }
}

extension String {
    /// The text without surrounding whitespace.
    var trimmed: String {
        guard let first = utf8.first, let last = utf8.last, first <= 0x20 || last <= 0x20 || first > 0x7F || last > 0x7F
        else { return self }
        return trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
