extension PartialCorrelation: DeclaredObject {
    package static let schema = ObjectSchema<PartialCorrelation>(
        .field("r", \.r),
        .field("count", \.count),
        .field("p", \.p))
}

extension DaySummary: DeclaredObject {
    package static let schema = ObjectSchema<DaySummary>(
        .field("date", \.date.dateOrDateTime),
        .field(
            "asleep_minutes", \.asleepMinutes, "with wakings of less than 15 minutes, without sleeps of less than 10"),
        .field(
            "naps", \.naps,
            "null if too few sleeps are known to separate day from night, and no sleep is marked with `is_night_sleep`"),
        .field("nap_minutes", \.napMinutes, "null like `naps`"),
        .field("night_wakings", \.nightWakings, "of 15 minutes or more; null if no sleep of the night is known"),
        .field("longest_night_stretch", \.longestNightStretch, "minutes; null like `night_wakings`"),
        .field("bedtime_minute", \.bedtimeMinute, "minutes after the midnight of `date`; null like `night_wakings`"),
        .field("meals", \.meals),
        .field("millilitres", \.millilitres, "of milk, without solids"),
        .field("diapers", \.diapers),
        .field("is_whole", \.isWhole))
}

extension RhythmAnalysis.WakeWindow: DeclaredObject {
    package static let schema = ObjectSchema<RhythmAnalysis.WakeWindow>(
        .field("nap_number", \.napNumber),
        .field("count", \.count),
        .field("lower", \.quartiles.lower, "minutes"),
        .field("median", \.quartiles.middle, "minutes"),
        .field("upper", \.quartiles.upper, "minutes"),
        .field("weekly_trend", \.weeklyTrend, "minutes"),
        .field("trend_p", \.trendP),
        .field("near_share", \.nearShare, "of days within 30 minutes of the median"))
}

extension RhythmAnalysis.Leap: DeclaredObject {
    package static let schema = ObjectSchema<RhythmAnalysis.Leap>(
        .field("quantity", \.quantity.rawValue),
        .field("date", \.date.dateOrDateTime),
        .field("before", \.change.before),
        .field("after", \.change.after),
        .field("confidence", \.change.confidence))
}
