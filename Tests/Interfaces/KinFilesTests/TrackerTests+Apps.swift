import KinFiles
import Testing

/// Exports of sensors and watches, and older exports of trackers.
extension TrackerTests {
    static let apps = [
        Export(
            tracker: "HatchBaby",
            text: """
                Baby Name,Start Time,End Time,Activity,Amount,Percentile,Duration,Info,Notes
                === BEGIN Feedings ===
                Ada,08/09/2025 9:30 AM,08/09/2025 9:31 AM,FEEDING,3.00oz,,1 min,,
                === END Feedings ===
                === BEGIN Diapers ===
                Ada,08/09/2025 2:00 AM,,DIAPER,,,,Both,
                === BEGIN Sleeps ===
                Ada,09/21/2025 1:00 PM,09/21/2025 2:48 PM,SLEEP,,,1 h 48 min,,
                """,
            events: ["02:00 diaper both", "09:30 feed 89 1 min 09:31", "13:00 sleep 14:48"]),
        Export(
            tracker: "Baby Connect",
            text: """
                Date and Time,End Time,Duration (min),Activity,Quantity,Extra data,Text,Notes,Caregiver
                12/13/25 7:47 PM,12/14/25 7:20 AM,693,Sleep,,,Ada slept in her crib (11h33m),,Eve
                12/13/25 7:05 PM,12/13/25 7:35 PM,30,Bottle,8.2,Formula,Ada drank 8.2 oz of formula (30m),,Eve
                12/13/25 2:07 PM,12/13/25 2:24 PM,17,Bottle,90,Formula,Ada drank 90 ml of formula (17m),,Eve
                """,
            events: ["14:07 feed bottle 90 17 min 14:24", "19:05 feed bottle 243 30 min 19:35", "19:47 sleep 07:20"],
            ignored: ["Text"]),
        Export(
            tracker: "Nara",
            text: """
                familyKey,activityKey,childKey,typeGroupKey,typeKey,beginDatetimeLocal,beginDatetime,DIAPER_type,FEED.BOTTLE_bottleType,FEED.BOTTLE_breastMilkVolume,FEED.BOTTLE_breastMilkVolumeUnit,FEED.BREAST_beginSide,FEED.BREAST_leftDurationSeconds,FEED.BREAST_rightDurationSeconds,SLEEP_endDatetimeLocal,SLEEP_durationSeconds,timeZone,note
                f,a1,c,FEED,FEED.BREAST,11/30/2025 12:21,1.6383E+12,,,,,RIGHT,,600,,,America/Denver,
                f,a2,c,FEED,FEED.BOTTLE,11/30/2025 1:00,1.6383E+12,,BREASTMILK,2,FLOZ,,,,,,America/Denver,
                f,a3,c,DIAPER,DIAPER,11/30/2025 9:00,1.6383E+12,PEE,,,,,,,,,America/Denver,
                f,a4,c,SLEEP,SLEEP,11/30/2025 11:35,1.6383E+12,,,,,,,,11/30/2025 12:20,2703,America/Denver,
                """,
            events: [
                "01:00 feed bottle 59", "09:00 diaper wet", "11:35 sleep 12:20", "12:21 feed breast right 10 min",
            ], ignored: ["familyKey", "typeGroupKey", "beginDatetime"]),
        Export(
            tracker: "Sleep as Android", file: "sleep-export.csv",
            text: """
                Id,Tz,From,To,Sched,Hours,Rating,Comment,Framerate,Geo,"9:10","10:10","Event"
                "1772093400000","Europe/Berlin","26. 02. 2026 9:10","26. 02. 2026 10:25","26. 02. 2026 10:25","1.250","4.0","","10000","","10.0","8.0","DEEP_START-1772093460000"
                Id,Tz,From,To,Sched,Hours,Rating,Comment,Framerate,Geo,"19:30","Event","Event"
                "1772130600000","Europe/Berlin","5. 03. 2026 19:30","6. 03. 2026 6:15","6. 03. 2026 6:15","10.750","0.0","","10000","","10.0","DEEP_START-1772130660000","LIGHT_START-1772130720000"
                ,,,,,,,,,,"1.0"
                """, events: ["09:10 sleep 10:25", "19:30 sleep 06:15"],
            ignored: ["Sched", "Rating", "Framerate"]),
        Export(
            tracker: "Sleep Cycle", file: "sleepdata.csv",
            text: "Start;End;Sleep quality;Time in bed\n2026-02-26 09:10:48;2026-02-26 10:25:35;93%;1:15\n",
            events: ["09:10 sleep 10:25"], ignored: ["Sleep quality", "Time in bed"]),
        Export(
            tracker: "AutoSleep", file: "AutoSleep-20260305.csv",
            text: """
                ISO8601,fromDate,toDate,bedtime,waketime,inBed,awake,asleep
                2026-02-27T23:59:00+01:00,"Thursday, Feb 26, 2026","Friday, Feb 27, 2026",2026-02-26 19:30:00,2026-02-27 06:15:00,10:45:00,00:10:00,10:35:00
                """, events: ["19:30 sleep 06:15"],
            ignored: ["ISO8601", "fromDate", "toDate", "inBed", "awake", "asleep"]),
        Export(
            tracker: "WHOOP", file: "sleeps.csv",
            text: """
                Cycle start time,Cycle end time,Cycle timezone,Sleep onset,Wake onset,Sleep performance %,Nap
                2026-03-01 22:40:10,2026-03-02 22:30:00,UTC+01:00,2026-03-01 22:50:00,2026-03-02 06:40:00,90,false
                """, events: ["22:50 sleep 06:40"],
            ignored: ["Cycle start time", "Cycle end time", "Sleep performance %", "Nap"]),
        Export(
            tracker: "Garmin", file: "sleepData.json",
            text: """
                [{"sleepStartTimestampGMT": "2026-02-26T08:10:00.0", "sleepEndTimestampGMT": "2026-02-26T09:25:00.0",
                  "calendarDate": "2026-02-26", "deepSleepSeconds": 600}]
                """, events: ["08:10 sleep 09:25"], ignored: ["calendarDate", "deepSleepSeconds"]),
        Export(
            tracker: "Garmin", file: "day.json",
            text: """
                {"dailySleepDTO": {"id": 1, "sleepStartTimestampGMT": 1772093400000, "sleepEndTimestampGMT": 1772097900000},
                 "sleepLevels": [{"startGMT": "2026-02-26T08:10:00.0", "endGMT": "2026-02-26T08:20:00.0"}]}
                """, events: ["08:10 sleep 09:25"], ignored: ["sleepLevels"]),
        Export(
            tracker: "Home Assistant", file: "history.csv",
            text: """
                entity_id,state,last_changed
                binary_sensor.baby_sleeping,on,2026-02-26T08:10:00.000Z
                binary_sensor.baby_sleeping,off,2026-02-26T09:25:00.000Z
                binary_sensor.baby_sleeping,unavailable,2026-02-26T09:30:00.000Z
                sensor.temperature,21.5,2026-02-26T09:25:00.000Z
                """, events: ["08:10 sleep 09:25"], leftOut: 2),
        Export(
            tracker: "Apple Health", file: "export.xml",
            text: """
                <?xml version="1.0" encoding="UTF-8"?>
                <HealthData locale="en_GB">
                 <Record type="HKQuantityTypeIdentifierHeartRate" startDate="2026-02-26 09:10:00 +0100" value="80"/>
                 <Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="Watch" device="&lt;a&gt;" startDate="2026-02-26 09:10:00 +0100" endDate="2026-02-26 10:25:00 +0100" value="HKCategoryValueSleepAnalysisAsleepCore">
                  <MetadataEntry key="HKTimeZone" value="Europe/Berlin"/>
                 </Record>
                 <Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="Watch" startDate="2026-02-26 09:00:00 +0100" endDate="2026-02-26 10:30:00 +0100" value="HKCategoryValueSleepAnalysisInBed"/>
                </HealthData>
                """, events: ["09:10 sleep 10:25"], ignored: ["sourceName"], leftOut: 1),
        Export(
            tracker: "Garmin",
            text: """
                Sleep Score 7 Days,Score,Resting Heart Rate,Bedtime,Wake Time
                2026-02-26,81,52,10:45 PM,6:17 AM
                2026-02-27,80,52,1:15 AM,7:17 AM
                """, events: ["22:45 sleep 06:17", "01:15 sleep 07:17"], ignored: ["Score", "Resting Heart Rate"]),
        Export(
            tracker: "Google Fit", file: "segments.json",
            text: """
                {"Data Points": [{"fitValue": [{"value": {"intVal": 4}}], "dataTypeName": "com.google.sleep.segment",
                  "startTimeNanos": 1772352000000000000, "endTimeNanos": 1772355600000000000},
                 {"fitValue": [{"value": {"intVal": 1}}], "dataTypeName": "com.google.sleep.segment",
                  "startTimeNanos": 1772355600000000000, "endTimeNanos": 1772355900000000000}]}
                """, events: ["08:00 sleep 09:00"], ignored: ["dataTypeName"]),
        Export(
            tracker: "PiyoLog", file: "piyolog.txt",
            text: """
                【ぴよログ】2026年2月

                ----------
                2026/2/26(木)
                ひな (0歳6か月0日)

                07:05   ミルク   180ml
                08:00   母乳   左 10分 / 右 5分
                09:10   寝る
                10:25   起きる (1時間15分)
                12:10   うんち (ふつう)
                18:00   お風呂

                ミルク合計　 1回 180ml
                """,
            events: [
                "07:05 feed bottle 180", "08:00 feed breast both 15 min", "09:10 sleep 10:25",
                "12:10 diaper dirty",
            ], ignored: ["remark"], leftOut: 1),
        Export(
            tracker: "PiyoLog", file: "piyolog_en.txt",
            text: """
                [PiyoLog]Feb 2026

                ----------
                Thu, 26 Feb 2026
                Mia (6 mo 0 d)

                07:05   Expressed Breast Milk   80ml
                08:00   Breastfeeding   R 5m
                09:10   Sleep
                10:25   Wake-up (1h15m)
                12:10   Pee
                """,
            events: [
                "07:05 feed bottle 80", "08:00 feed breast right 5 min", "09:10 sleep 10:25", "12:10 diaper wet",
            ]),
    ]

    @Test(
        "rows of databases and APIs are read, with the file's name as their type",
        arguments: [
            #"{"events": {"-Nx0": {"type": "sleep", "startTime": "2026-02-26T09:10:00", "endTime": "2026-02-26T10:25:00"}}}"#,
            #"{"-Nx0": {"start": "2026-02-26T09:10:00", "end": "2026-02-26T10:25:00"}}"#,
            #"{"users": {"u1": {"__collections__": {"intervals": {"a": {"start": "2026-02-26 09:10", "end": "2026-02-26 10:25"}}}}}}"#,
            #"{"__collections__": {"events": {"d0": {"type": "sleep", "startTime": {"_seconds": 1772097000, "_nanoseconds": 0}, "endTime": {"_seconds": 1772101500, "_nanoseconds": 0}, "__collections__": {}}}}}"#,
            #"{"__collections__": {"events": {"d0": {"type": "sleep", "startTime": {"__datatype__": "timestamp", "value": {"_seconds": 1772097000, "_nanoseconds": 0}}, "endTime": {"__time__": "2026-02-26T10:25:00Z"}}}}}"#,
            #"{"documents": [{"name": "projects/x/events/0", "fields": {"type": {"stringValue": "sleep"}, "startTime": {"timestampValue": "2026-02-26T09:10:00Z"}, "endTime": {"timestampValue": "2026-02-26T10:25:00Z"}, "note": {"nullValue": null}}}]}"#,
            #"{"_id": {"$oid": "5f"}, "type": "sleep", "startTime": {"$date": "2026-02-26T09:10:00Z"}, "endTime": {"$date": {"$numberLong": "1772101500000"}}}"#,
            #"{"count": 1, "next": null, "results": [{"start": "2026-02-26T09:10", "end": "2026-02-26T10:25"}]}"#,
            #"{"data": [{"id": "1", "type": "sleep", "attributes": {"start": "2026-02-26T09:10", "end": "2026-02-26T10:25"}}]}"#,
            #"{"records": [{"id": "rec1", "fields": {"Start": "2026-02-26T09:10", "End": "2026-02-26T10:25"}}]}"#,
            #"[[{"start": "2026-02-26T09:10", "end": "2026-02-26T10:25"}]]"#,
            #"{"data": {"metrics": [{"name": "heart_rate", "units": "bpm", "data": []}, {"name": "sleep_analysis", "units": "hr", "data": [{"date": "2026-02-26 00:00:00 +0100", "sleepStart": "2026-02-26 09:10:00 +0100", "sleepEnd": "2026-02-26 10:25:00 +0100"}]}]}}"#,
        ])
    func databases(text: String) throws {
        let imported = try RhythmLogFile.load(Array(text.utf8), name: "sleep.json", LogOptions())
        #expect(imported.log.records.map(Self.text) == ["09:10 sleep 10:25"])
    }

    @Test("a map of records has their keys in no column, and a member that is not a record is not one")
    func maps() throws {
        let text = #"{"settings": {"theme": "dark"}, "sleeps": {"a": {"start": "2026-02-26 09:10"}}}"#
        let imported = try RhythmLogFile.load(Array(text.utf8), name: "backup.json", LogOptions())
        #expect(imported.log.records.map(\.start.time) == ["09:10"])
        #expect(imported.report.parts.flatMap(\.ignored).map(\.column) == ["settings.theme"])
        let growth = #"{"growth": {"a": {"time": "2026-02-26 09:10", "weight": 6}}}"#
        #expect(throws: KinError.self) {
            try RhythmLogFile.load(Array(growth.utf8), name: "sleep.json", LogOptions())
        }
    }

    @Test("Samsung Health's first line and the long names of its columns are read")
    func samsung() throws {
        let text = """
            com.samsung.shealth.sleep,7006003,11
            sleep_score,com.samsung.health.sleep.start_time,com.samsung.health.sleep.end_time,com.samsung.health.sleep.datauuid
            72.0,2026-02-26 08:10:00.000,2026-02-26 09:25:00.000,2ca0,
            """
        let imported = try RhythmLogFile.load(
            Array(text.utf8), name: "com.samsung.shealth.sleep.20260305.csv", LogOptions())
        #expect(imported.log.records.map(Self.text) == ["08:10 sleep 09:25"])
    }
}
