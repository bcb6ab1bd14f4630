import Kin
import KinJSON
import KinStore

/// Questions to a store about babies.
enum RhythmQuestion: Equatable {
    /// The babies whose logs a person keeps.
    case babies(String)
    /// The next nap and feed of one of them; at the end of its log where no instant is given.
    case forecast(String, baby: String, at: Timestamp?)
}

extension PeopleSession {
    func answer(_ question: RhythmQuestion) throws {
        switch question {
        case .babies(let user): try babies(of: user)
        case .forecast(let user, let baby, let instant): try forecast(user, baby, at: instant)
        }
    }

    private func babies(of user: String) throws {
        let babies = try store.babies(of: user)
        if isJSON {
            for baby in babies {
                var writer = JSONWriter()
                baby.write(to: &writer)
                console.print(writer.text)
            }
            return
        }
        guard !babies.isEmpty else { return console.print("  nobody") }
        var table = TextTable([("baby", .left), ("name", .left), ("born", .left)])
        for baby in babies {
            table.append([baby.id, baby.baby.name, baby.baby.born.map { String($0.description.prefix(10)) } ?? ""])
        }
        console.print(table)
    }

    private func forecast(_ user: String, _ baby: String, at instant: Timestamp?) throws {
        guard let log = try store.rhythmLog(of: user, baby: baby) else {
            throw KinError(.unknownID, "nothing is known of a baby \(baby) of \(user); `babies \(user)` lists them")
        }
        guard let instant = instant.map({ LocalDateTime($0, in: .utc) }) ?? log.latest else {
            throw KinError(.invalidArgument, "the log is empty; say `at 2026-01-05T12:00:00Z`")
        }
        for kind in RhythmKind.allCases {
            let outlook = try log.outlook(kind, at: instant)
            if isJSON {
                console.print(outlook.json)
            } else {
                for line in ForecastText.lines(outlook, of: kind) { console.print("  " + line) }
            }
        }
    }
}
