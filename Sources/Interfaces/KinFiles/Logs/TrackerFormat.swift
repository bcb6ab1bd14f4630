/// A format that a tracker exports: its signature, the meanings of its columns, and its implied type and date order.
struct TrackerFormat {
    /// The name of the tracker, as reports show it.
    let name: String
    /// The columns that a file of the format has, without their units.
    let signature: [String]
    /// The word for the type of all rows; nil if a column has it.
    let type: String?
    /// Whether its dates have the day or the month first; nil if unknown.
    let dates: DateOrder?
    /// The meanings of columns beyond those of generic names, by name in lower case, with a unit that the name lacks.
    let columns: [(name: String, field: LogField, unit: String?)]
    /// The words for types that mean an event which is left out, in lower case.
    let leftOut: Set<String>

    private init(
        _ name: String, _ signature: String, type: String? = nil, dates: DateOrder? = nil, leftOut: Set<String> = [],
        _ columns: String = ""
    ) {
        (self.name, self.type, self.dates, self.leftOut) = (name, type, dates, leftOut)
        self.signature = signature.split(separator: ",").map(String.init)
        self.columns = columns.split(separator: ";").compactMap { entry in
            let sides = entry.split(separator: "=").map { $0.split(separator: "@").map(String.init) }
            guard sides.count == 2, let field = LogField(rawValue: sides[1][0]) else { return nil }
            return (sides[0][0], field, sides[1].count > 1 ? sides[1][1] : nil)
        }
    }

    /// All formats; METHODS names the source of each.
    static let all = [
        TrackerFormat("Kin", "type,start,end,duration,subtype,amount"),
        TrackerFormat(
            "Huckleberry", "type,start,end,start condition,start location,end condition",
            "start location=subtype;start condition=detail;end condition=detail"),
        // Its database counts offsets to the west, as JavaScript does.
        TrackerFormat(
            "Huckleberry (database)", "start,duration,offset,end offset", type: "sleep",
            "offset=zone@west;lastupdated=updated"),
        TrackerFormat(
            "Huckleberry (database)", "mode,start,offset",
            "offset=zone@west;mode=subtype;bottletype=detail;lastside=side;lastupdated=updated"),
        TrackerFormat(
            "Baby Tracker", "record category,record sub category,start date,finish date",
            "recordcategory=type;recordsubcategory=subtype"),
        // The type of a file whose columns are only times or amounts is in its name.
        TrackerFormat("Baby Tracker (one file per type)", "baby,time,duration"),
        TrackerFormat("Baby Tracker (one file per type)", "baby,time,start side", type: "breastfeeding"),
        TrackerFormat("Baby Tracker (one file per type)", "baby,time,start side,total amount", type: "pumping"),
        TrackerFormat("Baby Tracker (one file per type)", "baby,time,amount"),
        TrackerFormat("Baby Tracker (one file per type)", "baby,time,status", type: "diaper"),
        TrackerFormat("Baby Buddy", "child id,start,end"),
        // The tables of its backup by dumpdata are one list.
        TrackerFormat("Baby Buddy", "model,pk,child,start,end,duration", "model=type;type=detail"),
        TrackerFormat("Baby Buddy", "model,pk,child,time,wet,solid", "model=type;type=detail"),
        TrackerFormat("Baby Buddy", "child,start,end,nap", type: "sleep"),
        TrackerFormat("Baby Buddy", "child,start,end,type,method", type: "feed", "type=detail"),
        TrackerFormat("Baby Buddy", "child,time,wet,solid", type: "diaper"),
        TrackerFormat("Baby Buddy", "child id,start,end,milestone", type: "tummy time"),
        TrackerFormat("Baby Buddy", "child id,start,end,amount", type: "pumping"),
        TrackerFormat(
            "Nara", "type,profile name,start date time,activity key",
            "start date/time (epoch)=start;[sleep] end date/time (epoch)=end;[sleep] end date/time=end;[sleep] duration (seconds)=duration;"
                + "[breastfeed] left duration (seconds)=left;[breastfeed] right duration (seconds)=right;[breastfeed] begin side=side;"
                + "[bottle feed] breast milk volume=part;[bottle feed] formula volume=part;[bottle feed] volume=amount;"
                + "[combo feed] left duration (seconds)=left;[combo feed] right duration (seconds)=right;[combo feed] begin side=side;"
                + "[combo feed] breast milk volume=part;[combo feed] formula volume=part;[bottle feed] type=detail;[diaper] type=subtype;[solid feed] food=food"
        ),
        TrackerFormat(
            "Nara", "type key,begin datetime local", dates: .monthFirst,
            "typekey=type;begindatetimelocal=start;sleep_enddatetimelocal=end;childkey=baby;sleep_durationseconds=duration@s;"
                + "feed.breast_leftdurationseconds=left@s;feed.breast_rightdurationseconds=right@s;feed.breast_beginside=side;"
                + "feed.bottle_breastmilkvolume=part;feed.bottle_formulavolume=part;feed.bottle_volume=amount;"
                + "feed.bottle_bottletype=detail;diaper_type=subtype;feed.solid_foods=food"),
        TrackerFormat("Glow Baby", "begin time,end time", dates: .monthFirst),
        TrackerFormat(
            "Glow Baby", "diaper time,in the diaper", type: "diaper", dates: .monthFirst,
            "diaper time=start;in the diaper=subtype"),
        TrackerFormat(
            "Glow Baby", "time of feeding,milk type,amount", type: "bottle", dates: .monthFirst,
            "milk type=detail;amount(ml)=amount;amount(oz)=amount"),
        TrackerFormat("Glow Baby", "time of feeding,ingredients", type: "solids", dates: .monthFirst),
        TrackerFormat("Glow Baby", "time of feeding", type: "feed", dates: .monthFirst),
        TrackerFormat("HatchBaby", "baby name,start time,end time,activity,amount,percentile", dates: .monthFirst),
        TrackerFormat("SNOO", "start time,end time,duration,asleep,soothing", type: "sleep", "duration=duration@s"),
        TrackerFormat(
            "Samsung Health", "start time,end time,time offset", "start_time=start@utc;end_time=end@utc"),
        TrackerFormat("Sleepmeter", "wake,sleep,bedtime,holes", "sleep=start;wake=end;bedtime=detail"),
        TrackerFormat("Napper", "start,end,category,subcategory", "category=type"),
        TrackerFormat(
            "Fitbit", "log id,date of sleep,start time,end time", type: "sleep", "duration=duration@ms"),
        TrackerFormat(
            "Garmin", "sleep start timestamp,sleep end timestamp", type: "sleep",
            "sleepstarttimestampgmt=start@utc;sleependtimestampgmt=end@utc"),
        // The dates of its report are those of the wakings.
        TrackerFormat(
            "Garmin", "score,resting heart rate,bedtime,wake time", type: "sleep",
            "sleep score 4 weeks=date@waking;sleep score 7 days=date@waking;sleep score 1 year=date@waking;date=date@waking;"
                + "bedtime=start;wake time=end"),
        TrackerFormat(
            "Google Fit", "fit value,data type name,start time,end time", type: "sleep", "fitvalue=stage"),
        TrackerFormat(
            "Sleep as Android", "id,tz,from,to,sched", type: "sleep", dates: .dayFirst, "hours=duration@h"),
        TrackerFormat("Sleep Cycle", "start,end,sleep quality,time in bed", type: "sleep"),
        TrackerFormat(
            "Sleep Cycle", "went to bed,woke up,sleep quality", type: "sleep", "went to bed=start;woke up=end"),
        TrackerFormat(
            "AutoSleep", "from date,to date,bedtime,waketime", type: "sleep", "bedtime=start;waketime=end"),
        TrackerFormat(
            "WHOOP", "sleep onset,wake onset", type: "sleep",
            "sleep onset=start;wake onset=end;cycle timezone=zone"),
        TrackerFormat("Home Assistant", "entity id,state,last changed", "entity_id=type;last_changed=start"),
        TrackerFormat("PiyoLog", "type,start,amount,left,right,remark"),
        // Expressed is milk that was pumped. The sentence of the text has the side and the unit.
        TrackerFormat(
            "Baby Connect", "activity,quantity,extra data,text", leftOut: ["expressed"],
            "extra data=detail;text=side;text=unit"),
        TrackerFormat("Apple Health", "type,start date,end date,value", "value=type"),
        babySync("feed data method"), babySync("feed data volume"), babySync("sleep data start time"),
        babySync("diaper data type"),
    ]

    /// The records of BabySync, whose volumes are ounces.
    private static func babySync(_ member: String) -> TrackerFormat {
        TrackerFormat(
            "BabySync", "timestamp,\(member)",
            "sleepdata.starttime=start;sleepdata.endtime=end;sleepdata.duration=duration;feeddata.duration=duration;feeddata.method=subtype;"
                + "feeddata.volume=amount@oz;feeddata.side=side;feeddata.foodtype=food;diaperdata.type=subtype;milestonedata.title=title;"
                + "milestonedata.category=category;sleepdata.quality=quality;sleepdata.napnumber=nap;sleepdata.isnightsleep=night"
        )
    }

    /// The format of columns, and a second one that has most of them.
    ///
    /// - Returns: The format with the longest signature whose columns are all there, or nil.
    static func find(_ names: [String]) -> (format: TrackerFormat?, runnerUp: String?) {
        var bases = Set(names.map { LogColumns.base(of: $0).base })
        if bases.contains("child id") { bases.insert("child") }
        func share(_ format: TrackerFormat) -> Double {
            Double(format.signature.count { bases.contains($0) }) / Double(format.signature.count)
        }
        if bases.isSuperset(of: ["type", "start"]), bases.isSubset(of: all[0].signature) { return (all[0], nil) }
        let best = all.filter { share($0) == 1 }.max { $0.signature.count < $1.signature.count }
        let others = all.filter { $0.name != best?.name && share($0) >= 0.75 }
        return (best, others.max { (share($0), $0.signature.count) < (share($1), $1.signature.count) }?.name)
    }
}
