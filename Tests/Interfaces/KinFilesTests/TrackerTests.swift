import Foundation
import KinTestSupport
import Testing

@testable import KinFiles

/// Generated exports of trackers, and the events that they contain.
@Suite struct TrackerTests {
    struct Export: CustomTestStringConvertible {
        let tracker: String
        var file = "log.csv"
        let text: String
        var options = LogOptions()
        let events: [String]
        /// Columns with data that are reported as unused.
        var ignored: [String] = []
        /// The number of skipped rows.
        var leftOut = 0

        var testDescription: String { "\(tracker) \(file)" }
    }

    static let exports = [
        Export(
            tracker: "Kin",
            text: """
                type,start,end,duration_min,subtype,amount_ml
                sleep,2026-01-05T12:00,2026-01-05T13:00,60,,
                feed,2026-01-05T14:00,,,bottle-formula,120
                diaper,2026-01-05T15:00,,0,mixed,
                """,
            events: ["12:00 sleep 13:00", "14:00 feed bottle 120", "15:00 diaper both"]),
        Export(
            tracker: "Huckleberry",
            text: """
                Type,Start,End,Duration,Start Condition,Start Location,End Condition,Notes
                Sleep,2026-02-03 12:10,2026-02-03 13:00,00:50,,On own in bed,,
                Feed,2026-02-03 10:00,,,Formula,Bottle,4.5oz,
                Feed,2026-02-03 08:00,2026-02-03 08:20,00:20,00:12R,Breast,00:08L,"slow, sleepy"
                Solids,2026-02-03 17:00,,,carrot,,LOVED,
                Diaper,2026-02-03 09:00,,yellow,,,"Both, pee:small poo:large",
                Diaper,2026-02-03 11:00,,,,,Pee:medium,
                Bath,2026-02-03 18:00,,,,,,
                """,
            events: [
                "08:00 feed breast both 20 min 08:20", "09:00 diaper both", "10:00 feed bottle 133", "11:00 diaper wet",
                "12:10 sleep 13:00", "17:00 feed solids carrot",
            ], ignored: ["Duration", "Start Location", "End Condition"], leftOut: 1),
        Export(
            tracker: "Baby Tracker",
            text: """
                RecordCategory,RecordSubCategory,StartDate,FinishDate,Details
                Feeding,Left Breast,2026-03-01 10:00:00,2026-03-01 10:30:00,
                Feeding,Bottle,2026-03-01 14:00:00,,90 ml
                Sleeping,,2026-03-01 11:00:00,2026-03-01 12:30:00,
                Diapering,Pee and Poo,2026-03-01 12:40:00,,
                """,
            events: [
                "10:00 feed breast left 10:30", "11:00 sleep 12:30", "12:40 diaper both", "14:00 feed bottle 90",
            ]),
        Export(
            tracker: "Baby Tracker (one file per type)", file: "Mia_sleep.csv",
            text: "Baby,Time,Duration(minutes),Note\nMia,\"1/13/26, 19:54\",660\nMia,\"1/13/26, 12:09\",101\n",
            events: ["12:09 sleep 13:50", "19:54 sleep 06:54"]),
        Export(
            tracker: "Baby Tracker (one file per type)", file: "Mia_nursing.csv",
            text: """
                Baby,Time,Start Side,Left duration (min),Right duration (min),Total Duration (min),Note
                Mia,"1/23/26, 6:00 PM",Left,8,13,21,
                """,
            events: ["18:00 feed breast both 21 min 18:21"]),
        Export(
            tracker: "Baby Tracker (one file per type)", file: "Mia_formula.csv",
            text: "Baby,Time,Amount (oz.),Note\nMia,\"1/23/26, 7:00 AM\",3,\n", events: ["07:00 feed bottle 89"]),
        Export(
            tracker: "Baby Tracker (one file per type)", file: "Mia_diaper.csv",
            text: "Baby,Time,Status,Note\nMia,\"1/23/26, 7:30 AM\",Mixed,\nMia,\"1/23/26, 8:30 AM\",Wet,\n",
            events: ["07:30 diaper both", "08:30 diaper wet"]),
        Export(
            tracker: "Baby Connect",
            text: """
                Start Time,End Time,Activity,Duration (min),Quantity,Extra data,Text,Notes,Caregiver,Child Name
                2026-01-31 20:26,2026-01-31 20:56,Bottle,30,90.0,Formula,Mia drank 90 ml of formula (30m),,Ada,Mia
                2026-01-31 20:42,2026-01-31 20:42,Diaper,,,Wet,Mia had a wet diaper (medium),,Ada,Mia
                2026-01-31 20:50,2026-01-31 20:50,Diaper,,,BM+Wet,Mia had a poopy and wet diaper,,Ada,Mia
                2026-01-31 21:10,2026-01-31 21:25,Expressed,15,60,ml,"60 ml Expressed (30L, 30R) (15m)",,Ada,Mia
                2026-01-31 22:06,2026-01-31 22:12,Nursing,6,,,Mia nursed (6m left),,Ada,Mia
                """,
            events: [
                "20:26 feed bottle 90 30 min 20:56", "20:42 diaper wet", "20:50 diaper both",
                "22:06 feed breast left 6 min 22:12",
            ], ignored: ["Text"], leftOut: 1),
        Export(
            tracker: "Samsung Health", file: "samsung_sleep.csv",
            text: "start_time,time_offset,end_time,stage\n"
                + "2026-02-26 18:30:00.000,UTC+0100,2026-02-26 23:15:00.000,40002\n2026-02-26 23:15:00.000,UTC+0100,2026-02-26 23:45:00.000,40001\n",
            events: ["19:30 sleep 00:15"]),
        Export(
            tracker: "Baby Buddy", file: "feeding.csv",
            text: """
                child_id,start,end,type,method,amount,notes
                1,2026-02-16 23:10:16,2026-02-16 23:24:16,breast milk,bottle,3.4,
                1,2026-02-17 03:04:00,2026-02-17 03:12:00,breast milk,right breast,,
                """, options: LogOptions(unit: .ounces),
            events: ["23:10 feed bottle 101 23:24", "03:04 feed breast right 03:12"]),
        Export(
            tracker: "Baby Buddy", file: "sleep.csv",
            text: "child_id,start,end,notes\n1,2026-02-17 00:14:09,2026-02-17 02:48:09,\n",
            events: ["00:14 sleep 02:48"]),
        Export(
            tracker: "Baby Buddy", file: "diaperchange.csv",
            text:
                "child_id,time,wet,solid,color,amount\n1,2026-02-17 03:54:09,1,0,,6.2\n1,2026-02-17 05:54:09,1,1,brown,\n",
            events: ["03:54 diaper wet", "05:54 diaper both"], ignored: ["color", "amount"]),
        Export(
            tracker: "Baby Buddy", file: "sleep.json",
            text: """
                {"count": 1, "next": null, "previous": null, "results": [
                  {"id": 7, "child": 1, "start": "2026-02-17T12:00:00-05:00", "end": "2026-02-17T13:00:00-05:00",
                   "duration": "01:00:00", "nap": true, "notes": "", "tags": []}]}
                """, events: ["12:00 sleep 13:00"], ignored: ["count", "nap"]),
        Export(
            tracker: "Nara",
            text: """
                "Type","Profile Name","Start Date/time","Start Date/time (Epoch)","Note","Time Zone","[Breastfeed] Begin Side","[Breastfeed] Left Duration (Seconds)","[Breastfeed] Right Duration (Seconds)","[Bottle Feed] Type","[Bottle Feed] Breast Milk Volume","[Bottle Feed] Breast Milk Volume Unit","[Bottle Feed] Formula Volume","[Bottle Feed] Formula Volume Unit","[Bottle Feed] Volume","[Bottle Feed] Volume Unit","[Diaper] Type","[Sleep] End Date/time (Epoch)","[Profile] Birth Date","_activityKey"
                "Breastfeed","Leo","","1772449200000","","America/Toronto","LEFT","600","300",,,,,,,,,,,"a1"
                "Bottle Feed","Leo","","1772456400000","","America/Toronto",,,,"Breast Milk Formula","2","FLOZ","30","ML",,,,,,"a2"
                "Diaper","Leo","","1772460000000","","America/Toronto",,,,,,,,,,,"Dirty Wet",,,"a3"
                "Sleep","Leo","","1772463600000","","America/Toronto",,,,,,,,,,,,"1772467200000",,"a4"
                "Profile","Leo","","","",,,,,,,,,,,,,,"2025-11-02",
                """,
            events: [
                "06:00 feed breast both 15 min", "08:00 feed bottle 89", "09:00 diaper both", "10:00 sleep 11:00",
            ], leftOut: 1),
        Export(
            tracker: "Glow Baby", file: "glow_sleep.csv",
            text:
                "Begin time,End time\n01/04/2026 12:58:00 PM,01/04/2026 1:40:00 PM\n01/04/2026 8:03:00 PM,01/05/2026 7:51:00 AM\n",
            events: ["12:58 sleep 13:40", "20:03 sleep 07:51"]),
        Export(
            tracker: "Glow Baby", file: "glow_feed_bottle.csv",
            text: "Time of feeding,Milk type,Amount(ml),Amount(oz)\n01/24/2026 12:50:18 PM,Breast milk,80.0,2.7051\n",
            events: ["12:50 feed bottle 80"]),
        Export(
            tracker: "Glow Baby", file: "glow_diaper.csv",
            text: "Diaper time,In the diaper,Color,Texture\n01/24/2026 3:46:11 PM,pee and poo,yellow,Solid\n",
            events: ["15:46 diaper both"], ignored: ["Color", "Texture"]),
        Export(
            tracker: "HatchBaby",
            text: """
                "Baby Name","Start Time","End Time","Activity","Amount","Percentile","Duration","Info","Notes",
                "Ada","11/25/2025 21:15 PM","11/25/2025 21:35 PM","Feeding","4","","","Bottle","",
                "Ada","11/25/2025 9:15 AM","11/25/2025 9:15 AM","Diaper","Wet","","","","",
                "Ada","11/25/2025 10:00 AM","11/25/2025 11:10 AM","Sleep","","","","","",
                "Ada","11/25/2025 12:00 PM","11/25/2025 12:00 PM","Weight","3.6","0.7","","","",
                """, options: LogOptions(unit: .ounces),
            events: ["09:15 diaper wet", "10:00 sleep 11:10", "21:15 feed bottle 118 21:35"], leftOut: 1),
        Export(
            tracker: "SNOO",
            text:
                "start_time,end_time,duration,asleep,soothing\n2026-01-03T12:35:11,2026-01-03T13:59:04,5033,4218,815\n",
            events: ["12:35 sleep 13:59"], ignored: ["asleep", "soothing"]),
        Export(
            tracker: "Napper",
            text: """
                start,end,category,subcategory,babyMoodOnWakeUp,comment
                2026-01-03T06:30:00+01:00,,WOKE_UP,,HAPPY,
                2026-01-03T09:00:00+01:00,2026-01-03T10:00:00+01:00,NAP,,,
                2026-01-03T19:00:00+01:00,,BED_TIME,,,
                2026-01-04T01:00:00+01:00,2026-01-04T01:30:00+01:00,NIGHT_WAKING,,,
                2026-01-04T06:45:00+01:00,,WOKE_UP,,,
                """, events: ["09:00 sleep 10:00", "19:00 sleep 01:00", "01:30 sleep 06:45"],
            ignored: ["babyMoodOnWakeUp"]),
        Export(
            tracker: "Nara", file: "combo.csv",
            text: """
                "Type","Profile Name","Start Date/time","Start Date/time (Epoch)","Time Zone","[Combo Feed] Begin Side","[Combo Feed] Left Duration (Seconds)","[Combo Feed] Right Duration (Seconds)","[Combo Feed] Breast Milk Volume","[Combo Feed] Breast Milk Volume Unit","[Combo Feed] Formula Volume","[Combo Feed] Formula Volume Unit","_activityKey"
                "Combo Feed","Leo","","1772449200000","America/Toronto","Left","600","","2.5","FLOZ","","","a1"
                "Combo Feed","Leo","","1772456400000","America/Toronto","Left","600","300","","","30","ML","a2"
                """, events: ["06:00 feed breast left 74 10 min", "08:00 feed breast both 30 15 min"]),
        Export(
            tracker: "Fitbit", file: "sleep.json",
            text: """
                [{"logId": 2, "dateOfSleep": "2026-03-01", "startTime": "2026-03-01T08:49:00.000",
                  "endTime": "2026-03-01T10:10:00.000", "duration": 4860000, "minutesAsleep": 71, "type": "stages"}]
                """, events: ["08:49 sleep 10:10"], ignored: ["logId", "dateOfSleep", "minutesAsleep", "type"]),
        Export(
            tracker: "Apple Health",
            text: """
                type,sourceName,startDate,endDate,value
                HKCategoryTypeIdentifierSleepAnalysis,Watch,2026-03-01 08:39:00 +0100,2026-03-01 10:15:00 +0100,HKCategoryValueSleepAnalysisInBed
                HKCategoryTypeIdentifierSleepAnalysis,Watch,2026-03-01 08:49:00 +0100,2026-03-01 09:29:30 +0100,HKCategoryValueSleepAnalysisAsleepCore
                HKCategoryTypeIdentifierSleepAnalysis,Watch,2026-03-01 09:29:30 +0100,2026-03-01 09:39:30 +0100,HKCategoryValueSleepAnalysisAwake
                """, events: ["08:49 sleep 09:29"], ignored: ["type", "sourceName"], leftOut: 2),
        Export(
            tracker: "BabySync", file: "events.json",
            text: """
                [
                  // the newest first
                  {"type": "feed", "timestamp": {"_seconds": 1772460000, "_nanoseconds": 0}, "createdBy": "u1",
                   "feedData": {"method": "bottle", "volume": 4.5, "side": null, "duration": 10}},
                  {"type": "sleep", "timestamp": {"_seconds": 1772463600, "_nanoseconds": 0},
                   "sleepData": {"startTime": {"_seconds": 1772463600, "_nanoseconds": 0}, "endTime": {"_seconds": 1772467200, "_nanoseconds": 0},
                                 "duration": 60, "quality": "good", "isNightSleep": false}},
                  {"type": "diaper", "timestamp": {"_seconds": 1772470000, "_nanoseconds": 0}, "diaperData": {"type": "dirty"}}
                ]
                """, events: ["14:00 feed bottle 133 10 min 14:10", "15:00 sleep 16:00", "16:46 diaper dirty"]),
    ]

    private let folder = TemporaryFolder()

    @Test("every tracker's export is read, and unknown parts are reported", arguments: exports + apps)
    func understood(_ export: Export) throws {
        let imported = try RhythmLogFile.load(folder.file(export.file, export.text), export.options)
        #expect(imported.log.records.map(Self.text) == export.events)
        #expect(Set(imported.report.parts.flatMap(\.ignored).map(\.column)) == Set(export.ignored))
        #expect(imported.report.parts.last?.format == export.tracker)
        #expect(imported.report.repairs.count { $0.problem == .unknownType } == export.leftOut)
        let other = imported.report.repairs.filter {
            $0.problem != .unknownType && $0.problem != .otherOffset && $0.problem != .noLength
        }
        #expect(other.isEmpty, "\(other.map(\.text))")
    }

    @Test(
        "every export is also read in UTF-16, with a byte order mark, tabs and semicolons",
        arguments: exports + apps)
    func encodings(_ export: Export) throws {
        let plain = try RhythmLogFile.load(folder.file(export.file, export.text), export.options).log
        let utf16 = Data([0xFF, 0xFE]) + (export.text.data(using: .utf16LittleEndian) ?? Data())
        let marked = Data([0xEF, 0xBB, 0xBF]) + Data(export.text.utf8)
        var texts = [utf16, marked]
        if export.file.hasSuffix(".csv"), !export.text.contains("\""), !export.text.contains(";") {
            texts += ["\t", ";"].map { Data(export.text.replacing(",", with: $0).utf8) }
        }
        for data in texts {
            let path = folder.path(export.file)
            try data.write(to: URL(fileURLWithPath: path))
            #expect(try RhythmLogFile.load(path, export.options).log.records == plain.records)
        }
    }

    @Test("a folder with a file for each type is one log")
    func folders() throws {
        let name = "export"
        try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
        for export in Self.exports where export.tracker.hasPrefix("Baby Tracker (") {
            _ = try folder.file("\(name)/\(export.file)", export.text)
        }
        _ = try folder.file("\(name)/Mia_growth.csv", "Baby,Time,Weight\nMia,\"1/23/26, 7:00 AM\",4.1\n")
        let imported = try RhythmLogFile.load(folder.path(name))
        #expect(imported.log.records.count == 6)
        #expect(imported.report.lines.contains { $0.contains("Mia_growth.csv") && $0.contains("left out") })
    }

    static func text(_ record: RhythmRecord) -> String {
        let words: [String?]
        switch record.event {
        case .sleep: words = ["sleep"]
        case .feed(let feed):
            words = [
                "feed", feed.method?.rawValue, feed.side?.rawValue, feed.food,
                feed.millilitres.map { "\(Int($0.rounded()))" },
                feed.minutes.map { "\(Int($0.rounded())) min" },
            ]
        case .diaper(let diaper): words = ["diaper", diaper.rawValue]
        case .milestone(let title, _): words = ["milestone", title]
        }
        return ([record.start.time] + words.compactMap { $0 } + [record.end?.time].compactMap { $0 }).joined(
            separator: " ")
    }
}
