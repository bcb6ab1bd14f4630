import Foundation
import KinTestSupport
import Testing

@testable import KinFiles

/// Words and units of many languages in columns, types and cells.
extension LogFormTests {
    @Test(
        "every unit of volume is read in a cell and in the name of a column",
        arguments: LogQuantity.volumes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    func volumes(word: String, unit: String) {
        let (value, expected) = [
            "ml": ("120", 120), "oz": ("4", 118), "cl": ("12", 120), "dl": ("1,2", 120), "l": ("0,12", 120),
        ][
            unit]!
        let cells = "type;start;amount\nbottle;2026-03-01 10:00;\(value) \(word)\n"
        #expect(events(cells) == ["10:00 feed bottle \(expected)"], "\(word)")
        guard word.count > 1 else { return }
        for name in [
            "Amount (\(word))", "Quantité (\(word))", "Milk (\(word))", "Intake \(word)", word, "Top-up [\(word)]",
        ] {
            let text = "type;start;\(name)\nbottle;2026-03-01 10:00;\(value)\n"
            #expect(events(text) == ["10:00 feed bottle \(expected)"], "\(name)")
        }
    }

    @Test(
        "units such as mL are one word in the names of columns",
        arguments: [
            "Amount (mL)", "Volume (mL)", "Menge (mL)", "Cantidad (mL)", "Amount mL", "mL", "amountML", "amount_mL",
            "Milk (mL)",
        ])
    func camelUnits(name: String) {
        let text = "Type;Start;\(name)\nBottle;2026-03-01 10:00;120\n"
        #expect(events(text) == ["10:00 feed bottle 120"] && !remarks(text).contains("without a unit"))
    }

    @Test(
        "columns of amounts have many names, and the only one with a unit of milk is reported",
        arguments: [
            ("Drank", false), ("Consumed", false), ("Qty", false), ("Amt (ml)", false), ("Trinkmenge (ml)", false),
            ("Milk amount", false), ("Quantité de lait", false), ("Top-up (ml)", true), ("Fläschchen (ml)", true),
        ])
    func namesOfAmounts(name: String, isGuess: Bool) {
        let text = "type,start,\(name)\nbottle,2026-03-01 10:00,120\n"
        #expect(events(text) == ["10:00 feed bottle 120"], "\(name)")
        #expect(remarks(text).contains("is read as the amount") == isGuess)
        for other in ["Pumped (ml)", "Weight (oz)", "Water (ml)", "Top-up (ml),Other (ml)"] {
            let text = "type,start,\(other)\nbottle,2026-03-01 10:00,120,\n"
            #expect(events(text) == ["10:00 feed bottle"] && remarks(text).contains("not used"), "\(other)")
        }
    }

    @Test(
        "amounts may be fractions, sums and signs of units",
        arguments: [
            ("4 1/2 oz", 133), ("1/2 oz", 15), ("4 3/4 oz", 140), ("90+30 ml", 120), ("90 ml + 1 oz", nil),
            ("90+30", 120),
            ("60ml formula + 60ml breast milk", 120), ("120㎖", 120), ("0,9 dl", 90), ("4 1/2oz/133ml", 133),
            ("90+x ml", nil),
        ])
    func sums(text: String, amount: Int?) {
        let event = "10:00 feed bottle" + (amount.map { " \($0)" } ?? "")
        let log = "type;start;amount\nbottle;2026-03-01 10:00;\(text)\nbottle;2026-03-01 14:00;120\n"
        #expect(events(log).first == event, "\(text)")
        #expect(amount != nil || remarks(log).contains("is not an amount"))
    }

    @Test("a cell of details may have the way of feeding and an amount, and a number that is not read is reported")
    func detailsWithAmounts() {
        for way in ["Bottle", "Formula", "Fläschchen", "Biberon"] {
            for (amount, size) in [("4 oz", 118), ("120 ml", 120), ("120ml", 120), ("0.9 dl", 90)] {
                for (mark, end) in [(" ", ""), (", ", ""), (": ", ""), (" (", ")")] {
                    let text = way + mark + amount + end
                    let log = "time,type,details\n2026-03-01 10:00,Feed,\"\(text)\"\n"
                    #expect(events(log) == ["10:00 feed bottle \(size)"], "\(text)")
                    #expect(!isRefused(log), "\(text): \(remarks(log))")
                }
            }
        }
        for text in [
            "Bottle, spit up 10 ml", "Formula no. 2", "Bottle 4 oz and 20 ml", "Spit up 10 ml", "Nursing 3 times",
        ] {
            let log = "time,type,details\n2026-03-01 10:00,Feed,\"\(text)\"\n"
            #expect(events(log).allSatisfy { !$0.hasSuffix("0") || $0.hasSuffix(":00") }, "\(text): \(events(log))")
            #expect(remarks(log).contains("details") && isRefused(log), "\(text): \(remarks(log))")
        }
    }

    @Test(
        "the sentences of Baby Connect have the units of its amounts, with and without ends",
        arguments: ["Start time,End time,Activity", "Start time,Activity"])
    func babyConnect(header: String) {
        func row(_ hour: Int, _ activity: String, _ quantity: String, _ extra: String, _ text: String) -> String {
            let times = ["2/23/2026 \(hour):25 AM", "2/23/2026 \(hour):35 AM"].prefix(header.contains("End") ? 2 : 1)
            return "\(times.joined(separator: ",")),\(activity),\(quantity),\(extra),\(text)\n"
        }
        let text =
            "\(header),Quantity,Extra data,Text\n" + row(9, "Bottle", "4", "Formula", "Ada drank 4 oz of formula (10m)")
            + row(10, "Bottle", "90", "Formula", "Ada drank 90 ml of formula")
            + row(11, "Nursing", "", "", "Ada nursed (left)")
        #expect(
            events(text).map {
                $0.split(separator: " ").dropFirst().filter { !$0.contains(":") }.joined(separator: " ")
            } == [
                "feed bottle 118", "feed bottle 90", "feed breast left",
            ])
        #expect(!remarks(text).contains("without a unit") && !remarks(text).contains("not used"))
    }

    @Test(
        "a word of other languages is of its kind with any other words next to it",
        arguments: LogWords.foreign.sorted { $0.key < $1.key }.map { ($0.key, $0.value.rawValue) })
    func foreignWords(word: String, kind: String) {
        for type in ["\(word) xyz", "xyz \(word)", "xyz \(word) zyx"] {
            let found = events("type,start\n\(type),2026-03-01 09:00\n")
            #expect(found.count == 1 && found[0].hasPrefix("09:00 \(kind)"), "\(type): \(found)")
        }
        for other in ["nicht", "sans", "agua", "planned"] {
            #expect(LogWords.kind("\(other) \(word)") == nil, "\(other) \(word)")
        }
    }

    @Test(
        "types of many words and languages are read with their details",
        arguments: [
            ("Sueño nocturno", "sleep"), ("Sommeil de nuit", "sleep"), ("Notte", "sleep"), ("Nattsömn", "sleep"),
            ("Sover", "sleep"), ("Sen nocny", "sleep"), ("Ночной сон", "sleep"), ("Gece uykusu", "sleep"),
            ("夜間睡眠", "sleep"), ("ねる", "sleep"), ("夜间睡眠", "sleep"), ("Sono noturno", "sleep"), ("Overnight", "sleep"),
            ("Flasche Pre", "feed bottle"), ("Muttermilch (Flasche)", "feed bottle"),
            ("Biberon lait maternel", "feed bottle"), ("Leche de fórmula", "feed bottle"),
            ("Latte artificiale", "feed bottle"), ("Windel beides", "diaper both"), ("Couche mixte", "diaper both"),
            ("Pañal mixto", "diaper both"), ("Pannolino sporco", "diaper dirty"),
            ("Грязный подгузник", "diaper dirty"), ("Bez ıslak", "diaper wet"), ("Blöja kiss", "diaper wet"),
            ("Biberão", "feed bottle"), ("Borst", "feed breast"), ("Gündüz uykusu", "sleep"),
            ("Bez ıslak ve kirli", "diaper both"), ("Ble tis", "diaper wet"), ("睡覺", "sleep"),
            ("Pieluszka siku i kupa", "diaper both"), ("Allattamento", "feed breast"), ("Mamadeira", "feed bottle"),
            ("Butelka", "feed bottle"), ("Karmienie piersią", "feed breast"), ("ミルク", "feed bottle"),
            ("母乳", "feed breast"), ("配方奶", "feed bottle"), ("Pannolino", "diaper both"), ("Fralda", "diaper both"),
            ("Pieluszka", "diaper both"), ("おむつ", "diaper both"), ("おしっこ", "diaper wet"), ("换尿布", "diaper both"),
            ("Fles", "feed bottle"), ("Borstvoeding", "feed breast"), ("Luier", "diaper both"), ("분유", "feed bottle"),
            ("모유수유", "feed breast"), ("이유식", "feed solids"), ("기저귀", "diaper both"), ("소변", "diaper wet"),
            ("Beikost", "feed solids"), ("Flesje", "feed bottle"), ("Cambio de pañal", "diaper both"),
            ("Sonnellino", "sleep"), ("小睡", "sleep"), ("Uyku", "sleep"), ("грудь", "feed breast"),
            ("Flaska", "feed bottle"), ("Morning nap", "sleep"), ("Car nap", "sleep"), ("Contact nap", "sleep"),
            ("Breast L", "feed breast left"), ("BF", "feed breast"), ("EBM", "feed bottle"), ("Dream feed", "feed"),
            ("Direct Nursing", "feed breast"), ("Pumped milk bottle", "feed bottle"), ("Breakfast", "feed solids"),
            ("Snack", "feed solids"), ("Tétée gauche", "feed breast left"), ("Pecho izquierdo", "feed breast left"),
            ("Breast L/R", "feed breast both"), ("Stillen links", "feed breast left"),
            ("Couche mouillée", "diaper wet"), ("Pipi", "diaper wet"), ("Nap (stroller)", "sleep"),
            ("Nap 1 (crib)", "sleep"), ("Nap in car", "sleep"), ("sleeps", "sleep"), ("Night sleep part 2", "sleep"),
            ("SleepEvent", "sleep"), ("Catnap", "sleep"), ("feeds", "feed"), ("Solids: carrot", "feed solids"),
            ("Lunch - pasta", "feed solids"), ("Nursed", "feed breast"), ("DiaperChangeEvent", "diaper both"),
            ("Poopy diaper", "diaper dirty"), ("Bowel movement", "diaper dirty"), ("Nap 2", "sleep"),
            ("Sleep - Nap", "sleep"), ("Breast (left)", "feed breast left"), ("Bottle (formula)", "feed bottle"),
            ("Feed: Breast", "feed breast"), ("Diaper: both", "diaper both"), ("Diaper (wet)", "diaper wet"),
            ("Slept", "sleep"), ("Breastfed", "feed breast"), ("Bottle fed", "feed bottle"),
        ] as [(String, String)])
    func typesWithDetails(type: String, expected: String) {
        #expect(events("type,start\n\(type),2026-03-01 09:00\n") == ["09:00 \(expected)"])
    }

    @Test(
        "types with words of no event are refused",
        arguments: [
            "Nap: missed", "Bottle, refused", "Sleep-training", "Diaper (rash)", "Missed nap", "Pump bottle",
            "Wash bottle", "Diaper rash", "Sleep training", "Wake up - nap", "Pump (left)", "both", "2",
            "Bottle washing",
        ])
    func typesOfNoEvent(type: String) {
        #expect(remarks("type,start\n\"\(type)\",2026-03-01 10:00\n").hasPrefix("ERROR"))
    }

    @Test("details are types in a file of feeds or diapers, or next to wet and dirty")
    func detailsAsTypes() {
        func text(_ types: [String]) -> String {
            "type,start\n" + types.enumerated().map { "\($1),2026-03-01 0\($0):00\n" }.joined()
        }
        let diapers = text(["wet", "BOTH", "dry", "dirty"])
        for name in ["diapers.csv", "log.csv"] {
            #expect(
                events(diapers, as: name) == [
                    "00:00 diaper wet", "01:00 diaper both", "02:00 diaper dry", "03:00 diaper dirty",
                ])
        }
        #expect(
            events(text(["left", "right", "both", "bottle"]), as: "feedings.csv") == [
                "00:00 feed breast left", "01:00 feed breast right", "02:00 feed breast both", "03:00 feed bottle",
            ])
        #expect(events(text(["wet", "both", "left"])) == ["00:00 diaper wet"])
        #expect(events(text(["left", "Pumping left"]), as: "feedings.csv") == ["00:00 feed breast left"])
    }

    @Test(
        "a log without a type that has a fifth of its time is refused, unless it is known to be of something else",
        arguments: [
            ("Xyz", 3, 60, true), ("Xyz", 2, 60, false), ("Xyz", 3, 5, false), ("Mom sleep", 3, 60, false),
            ("Bath", 3, 60, false), ("HKCategoryValueSleepAnalysisInBed", 3, 60, false),
        ])
    func unknownTimes(type: String, count: Int, minutes: Int, isRefused: Bool) {
        let naps = (1...3).map { "Nap,2026-03-0\($0) 09:00,2026-03-0\($0) 10:00\n" }
        let others = (1...count).map { "\(type),2026-03-0\($0) 13:00,2026-03-0\($0) 13:\(minutes - 1)\n" }
        let text = "type,start,end\n" + naps.joined() + others.joined().replacing(":4\n", with: ":04\n")
        let found = remarks(text)
        #expect(found.hasPrefix("ERROR") == isRefused && found.contains(type), "\(found)")
        #expect(!isRefused || found.contains("write sleep, feed or diaper in place of it"))
    }

    @Test(
        "times of day in a column of their own have the forms of those next to a date in one cell",
        arguments: [
            "%.%", "%.% Uhr", "kl. %.%", "klo %.%", "%:% uur", "% h %", "%:% h", "%:%h", "%u%", "%h%", "%:% Uhr",
            "%.%h",
        ])
    func clocksOfColumns(form: String) {
        for (hour, minute) in [
            ("7", "05"), ("7", "37"), ("08", "53"), ("19", "45"), ("20", "15"), ("00", "40"), ("12", "59"),
        ] {
            let parts = form.split(separator: "%", omittingEmptySubsequences: false)
            let text = "\(parts[0])\(hour)\(parts[1])\(minute)\(parts[2])"
            let expected = "\(hour.count < 2 ? "0" : "")\(hour):\(minute) sleep"
            #expect(events("Datum;Start;Art\n20.02.2026;\(text);Schlaf\n") == [expected], "\(text)")
            let range = "Datum;Start;Ende;Art\n20.02.2026;\(text);\(text);Schlaf\n"
            #expect(events(range).first?.hasPrefix(expected) == true, "\(text)")
        }
    }

    @Test(
        "words for the halves of the day, and hours alone",
        arguments: [
            ("8.45 PM", "20:45"), ("8.45 a.m.", "08:45"), ("20h", "20:00"), ("20 Uhr", "20:00"), ("晚上8:15", "20:15"),
            ("早上8:15", "08:15"), ("8:15 م", "20:15"), ("8:15 ص", "08:15"), ("ÖS 8:15", "20:15"), ("8:15 em", "20:15"),
            ("저녁 8:15", "20:15"), ("晚上12:15", ""), ("24.00 Uhr x", ""),
        ])
    func halvesOfDays(text: String, expected: String) {
        let found = remarks("Date,Start\n2026-03-01,\(text)\n", as: "sleep.csv")
        if expected.isEmpty {
            #expect(found.contains("is not a time"), "\(found)")
        } else {
            #expect(events("Date,Start\n2026-03-01,\(text)\n", as: "sleep.csv") == ["\(expected) sleep"], "\(found)")
        }
    }

    @Test(
        "durations of hours and minutes with a word for each",
        arguments: [
            "1:05 h", "1:05h", "1:05 Std", "65:00 min", "1 t 5 min", "1 tim 5 min", "1 sa 5 dk", "1 h et 5 min",
            "1 ora e 5 minuti", "1 hour and 5 minutes", "1 Stunde und 5 Minuten", "1 timme och 5 minuter",
            "1 час 5 минут",
            "1 uur en 5 min", "1 godz. 5 min", "1 hora y 5 minutos",
        ])
    func writtenDurations(text: String) {
        #expect(LogQuantity.minutes(text, unit: nil, decimalComma: false) == 65, "\(text)")
        #expect(LogQuantity.minutes(text + " x", unit: nil, decimalComma: false) == nil, "\(text) x")
    }

    @Test(
        "starts and ends in more languages, and unknown names are listed in the error",
        arguments: [
            ("Hora inicio", "Hora fin"), ("Heure début", "Heure fin"), ("De", "À"), ("Dalle", "Alle"), ("Van", "Tot"),
            ("Från", "Till"), ("Od", "Do"), ("С", "До"), ("Slept at", "Woke at"), ("sleep_onset", "wakeup"),
            ("Xyz", "Zyx"),
        ])
    func namesOfStarts(start: String, end: String) {
        let text = "Fecha;\(start);\(end)\n2026-02-20;13:00;14:00\n"
        guard start == "Xyz" else {
            #expect(events(text, as: "sleep.csv") == ["13:00 sleep 14:00"])
            return
        }
        #expect(
            remarks(text, as: "sleep.csv").contains(
                "no column is known to have the starts; the columns are Fecha, Xyz, Zyx"))
    }
}
