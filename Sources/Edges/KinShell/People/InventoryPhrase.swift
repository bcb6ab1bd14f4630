import Kin
import KinEngine

/// The words that follow `inventory`.
struct InventoryPhrase {
    private var query = InventoryQuery()
    private var wish: PeopleQuestion.Wish?
    private var k: Int?
    private var sense: String?
    private var context: String?

    var question: PeopleQuestion { .inventory(query, wish: wish, k: k ?? 10) }

    init(_ tokens: inout TokenStream, hint: String) throws(CommandError) {
        while let token = tokens.next {
            if try takePlace(&tokens, hint) { continue }
            if try takeCondition(&tokens, hint) { continue }
            if try takeWish(&tokens, hint) { continue }
            throw CommandError(message: "'\(token.text)' is not expected here", range: token.range, hint: hint)
        }
        if query.radiusKilometers != nil, query.location == nil {
            throw tokens.missing("'near LAT,LNG', to measure from,", hint: hint)
        }
        if sense != nil || context != nil { query.senses = [.init(sense: sense, context: context)] }
    }

    private mutating func takePlace(_ tokens: inout TokenStream, _ hint: String) throws(CommandError) -> Bool {
        if query.location == nil, tokens.take(word: "near") {
            query.location = try tokens.coordinates(hint: hint)
        } else if query.radiusKilometers == nil, tokens.take(word: "within") {
            query.radiusKilometers = try tokens.kilometers(hint: hint)
        } else {
            return false
        }
        return true
    }

    private mutating func takeCondition(_ tokens: inout TokenStream, _ hint: String) throws(CommandError) -> Bool {
        if query.minutes == nil, tokens.take(word: "for") {
            query.minutes = try tokens.minutes(hint: hint)
        } else if query.slot == nil, tokens.take(word: "at") {
            query.slot = try tokens.choice("time of day", DayPart.names) { DayPart(name: $0) }
        } else if query.season == nil, tokens.take(word: "in") {
            query.season = try tokens.choice("season", TemporalTags.Season.names) { TemporalTags.Season(name: $0) }
        } else if tokens.take(word: "type") {
            let names = InventoryItem.Kind.allCases.map(\.name)
            let kind = try tokens.choice("type", names) { name in InventoryItem.Kind.allCases.first { $0.name == name }
            }
            query.kinds = (query.kinds ?? []).union([kind])
        } else if tokens.take(word: "access") {
            let names = InventoryItem.Access.allCases.map(\.name)
            let access = try tokens.choice("access mode", names) { name in
                InventoryItem.Access.allCases.first { $0.name == name }
            }
            query.accesses = (query.accesses ?? []).union([access])
        } else if tokens.take(word: "status") {
            let names = InventoryItem.Status.allCases.map(\.name)
            let status = try tokens.choice("status", names) { name in
                InventoryItem.Status.allCases.first { $0.name == name }
            }
            query.statuses = (query.statuses ?? []).union([status])
        } else if sense == nil, tokens.take(word: "sense") {
            sense = try tokens.word("a sense", hint: hint).text
        } else if context == nil, tokens.take(word: "context") {
            context = try tokens.word("a situation", hint: hint).text
        } else if tokens.take(word: "giving") {
            query.pleasures.append(try tokens.dimension())
        } else {
            return false
        }
        return true
    }

    private mutating func takeWish(_ tokens: inout TokenStream, _ hint: String) throws(CommandError) -> Bool {
        if wish == nil, tokens.take(word: "like") {
            wish = .point(try tokens.pleasure(hint: hint))
        } else if wish == nil, tokens.take(word: "as") {
            wish = .person(try tokens.word("a person", hint: hint).text)
        } else if k == nil, let given = try tokens.width(hint: hint) {
            k = given
        } else {
            return false
        }
        return true
    }
}
