import Kin
import KinEngine

/// Turns a line of text into a command to a store of people.
struct PeopleParser {
    /// Reads one line as a command.
    ///
    /// - Returns: the question, or nil for a blank line or a comment.
    func parse(_ line: String) throws(CommandError) -> PeopleCommand? {
        let clause = WhereClause(line)
        var tokens = TokenStream(try Token.tokens(of: clause.command))
        guard let first = tokens.take() else { return nil }
        guard let guide = PeopleGuide.find(first.text), first.kind == .word else {
            let near = Spelling.nearest(to: first.text, in: PeopleGuide.all.map(\.name))
            throw CommandError(
                message: "there is no command '\(first.text)'", range: first.range,
                hint: near.map { "did you mean \($0)?" } ?? "`help` lists the commands")
        }
        let hint = "the form is `\(guide.usage)`"
        let command = try parse(guide.name, &tokens, clause, hint)
        try tokens.expectEnd(hint: hint)
        return command
    }

    private func parse(
        _ name: String, _ tokens: inout TokenStream, _ clause: WhereClause, _ hint: String
    ) throws(CommandError) -> PeopleCommand {
        switch name {
        case "near": return .ask(try near(&tokens, clause, hint))
        case "sessions":
            let user = try tokens.word("a person", hint: hint).text
            let count = tokens.take(word: "count") ? try tokens.positive("how many", hint: hint) : 10
            let after = tokens.take(word: "after") ? try tokens.word("a session", hint: hint).text : nil
            return .ask(.sessions(of: user, count: count, after: after))
        case "profile":
            let user = try tokens.word("a person", hint: hint).text
            return .ask(.profile(user, at: try tokens.time(hint: hint)))
        case "insight":
            let token = try tokens.word("a session", hint: hint)
            let id = token.text.hasPrefix("session:") ? String(token.text.dropFirst(8)) : token.text
            return .ask(.insight(session: id, k: try tokens.width(hint: hint) ?? 5))
        case "inventory": return .ask(try InventoryPhrase(&tokens, hint: hint).question)
        case "missions": return .ask(try missions(&tokens, hint))
        case "map":
            let user = try tokens.word("a person", hint: hint).text
            let plot = tokens.take(word: "--plot") || tokens.take(word: "plot")
            return .ask(.map(user), plot: plot ? try tokens.word("a file", hint: hint).text : nil)
        case "kin":
            let user = try tokens.word("a person", hint: hint).text
            return .affinity(.mostSimilar(user, k: try tokens.width(hint: hint) ?? 10))
        case "why":
            let user = try tokens.word("a person", hint: hint).text
            return .affinity(.why(user, try tokens.word("another person", hint: hint).text))
        case "inbox":
            let user = try tokens.word("a person", hint: hint).text
            guard tokens.next != nil else { return .affinity(.inbox(user, nil)) }
            return .affinity(.inbox(user, try tokens.choice("state", InboxState.names) { InboxState(name: $0) }))
        case "digest", "away":
            let user = try tokens.word("a person", hint: hint).text
            guard tokens.take(word: "since") else { throw tokens.missing("'since TIME'", hint: hint) }
            return .affinity(.digest(user, since: try tokens.instant(hint: hint)))
        case "babies": return .rhythm(.babies(try tokens.word("a person", hint: hint).text))
        case "forecast":
            let user = try tokens.word("a person", hint: hint).text
            let baby = try tokens.word("a baby", hint: hint).text
            let instant = tokens.take(word: "at") ? try tokens.instant(hint: hint) : nil
            return .rhythm(.forecast(user, baby: baby, at: instant))
        case "users": return .ask(.users)
        case "info": return .ask(.info)
        case "help": return .help(topic: tokens.take()?.text)
        case "quit": return .quit
        default:
            guard let toggle = Command.Switch(rawValue: String(name.dropFirst())) else {
                preconditionFailure("every command of the guide is parsed")
            }
            let token = try tokens.word("on or off", hint: hint)
            guard ["on", "off"].contains(token.text.lowercased()) else {
                throw CommandError(message: "'\(token.text)' is not expected here", range: token.range, hint: hint)
            }
            return .turn(toggle, isOn: token.text.lowercased() == "on")
        }
    }

    private func near(
        _ tokens: inout TokenStream, _ clause: WhereClause, _ hint: String
    ) throws(CommandError) -> PeopleQuestion {
        guard let next = tokens.next else { throw tokens.missing("a session, a person or a point", hint: hint) }
        let target: PeopleQuestion.Target
        if next.kind == .word, let id = next.text.after(prefix: "session:") {
            _ = tokens.take()
            target = .session(id)
        } else if next.kind == .word, let id = next.text.after(prefix: "user:") {
            _ = tokens.take()
            target = .person(id, at: try tokens.time(hint: hint))
        } else {
            target = .point(try tokens.pleasure(hint: hint))
        }
        var (k, metric): (Int?, Metric?) = (nil, nil)
        while tokens.next != nil {
            if k == nil, let given = try tokens.width(hint: hint) {
                k = given
            } else if metric == nil, tokens.take(word: "metric") {
                metric = try tokens.choice("metric", Metric.allCases.map(\.rawValue)) { Metric(rawValue: $0) }
            } else {
                try tokens.expectEnd(hint: hint)
            }
        }
        return .near(target, k: k ?? 10, metric: metric ?? .squaredL2, where: try clause.parsed())
    }

    private func missions(_ tokens: inout TokenStream, _ hint: String) throws(CommandError) -> PeopleQuestion {
        let user = try tokens.word("a person", hint: hint).text
        var (place, minutes, slot): (GeographicCoordinates?, Double?, DayPart?) = (nil, nil, nil)
        var (state, weather, season): (SessionState?, MissionRequest.Weather?, TemporalTags.Season?) = (nil, nil, nil)
        var (radius, k): (Double?, Int?) = (nil, nil)
        while tokens.next != nil {
            if place == nil, tokens.take(word: "near") {
                place = try tokens.coordinates(hint: hint)
            } else if minutes == nil, tokens.take(word: "for") {
                minutes = try tokens.minutes(hint: hint)
            } else if slot == nil, tokens.take(word: "at") {
                slot = try tokens.choice("time of day", DayPart.names) { DayPart(name: $0) }
            } else if radius == nil, tokens.take(word: "within") {
                radius = try tokens.kilometers(hint: hint)
            } else if state == nil, tokens.take(word: "state") {
                state = try tokens.choice("state", SessionState.names) { SessionState(name: $0) }
            } else if weather == nil, tokens.take(word: "weather") {
                weather = try tokens.choice("weather", MissionRequest.Weather.allCases.map(\.rawValue)) {
                    MissionRequest.Weather(rawValue: $0)
                }
            } else if season == nil, tokens.take(word: "in") {
                season = try tokens.choice("season", TemporalTags.Season.names) { TemporalTags.Season(name: $0) }
            } else if k == nil, let given = try tokens.width(hint: hint) {
                k = given
            } else {
                try tokens.expectEnd(hint: hint)
            }
        }
        guard let place else { throw tokens.missing("'near LAT,LNG'", hint: hint) }
        guard let minutes else { throw tokens.missing("'for 90min'", hint: hint) }
        guard let slot else { throw tokens.missing("'at dawn'", hint: hint) }
        var wish = PeopleQuestion.MissionWish(person: user, place: place, minutes: minutes, slot: slot)
        if let radius { wish.radiusKilometers = radius }
        (wish.state, wish.weather, wish.season) = (state, weather, season)
        return .missions(wish, k: k ?? 5)
    }
}

extension String {
    /// The text behind a prefix, or nil when it is not there or nothing follows.
    func after(prefix: String) -> String? {
        hasPrefix(prefix) && count > prefix.count ? String(dropFirst(prefix.count)) : nil
    }
}
