/// The numbers of section `META` of an inventory's file.
private struct InventorySettings: BitwiseCopyable {
    var items: UInt64
    /// The number of combinations of senses when the items were last sorted.
    var sensesAtSort: UInt64
}

/// One affordance of section `SENS`, in the combination with a given number.
private struct SavedSense: BitwiseCopyable {
    var combination: UInt32
    var sense: UInt32
    var intensity: UInt32
    /// The number of the situation's word plus 1; 0 for any situation.
    var context: UInt32
}

/// The sections of an inventory's file.
private enum InventoryFile {
    static let settings: FourCharacterCode = "META"
    static let items: SavedTexts.Tags = ("ITMB", "ITME")
    static let ids: SavedTexts.Tags = ("IIDB", "IIDE")
    // By slot.
    static let keys: FourCharacterCode = "KEYS"
    static let rows: FourCharacterCode = "SROW"
    static let attributes: FourCharacterCode = "ATTR"
    static let points: FourCharacterCode = "PNTS"
    static let words: SavedTexts.Tags = ("WRDB", "WRDE")
    static let senses: FourCharacterCode = "SENS"
    static let combinations: FourCharacterCode = "SNUM"
}

/// The items of an inventory's file, each read from its JSON on demand.
struct SavedItems: Sendable {
    fileprivate let ids: SavedTexts
    fileprivate let items: SavedTexts

    /// The id of the item in a row of the file.
    func id(_ row: Int) -> String { ids[row] }

    /// The item in a row of the file, whose checksums must be valid.
    func item(_ row: Int) -> InventoryItem {
        infallible("the file has what was written") { () throws(KinError) in
            try unsafe items.withBytes(of: row) { bytes throws(KinError) in try unsafe InventoryItem(parsing: bytes) }
        }
    }

    var byteCount: Int { ids.byteCount + items.byteCount }
}

extension InventoryIndex {
    /// Writes the sections of an index to a file, which may contain further sections.
    ///
    /// - Throws: `.inputOutput`.
    /// - Complexity: O(bytes).
    package func write(to writer: inout SectionFileWriter) throws(KinError) {
        let settings = InventorySettings(items: UInt64(count), sensesAtSort: UInt64(sensesAtSort))
        try writer.write([settings].span, to: InventoryFile.settings)
        try writer.write(texts: items.indices.lazy.map { json(inRow: $0) }, to: InventoryFile.items)
        try writer.write(
            texts: items.indices.lazy.map { Array((items[$0]?.id ?? saved!.id($0)).utf8) }, to: InventoryFile.ids)
        try writer.write(keys.span, to: InventoryFile.keys)
        try writer.write(rows.span, to: InventoryFile.rows)
        try writer.write(attributes.span, to: InventoryFile.attributes)
        try writer.write(points.span, to: InventoryFile.points)
        try writer.write(texts: senses.wordList.lazy.map { Array($0.utf8) }, to: InventoryFile.words)
        let affordances = senses.combinations.enumerated().flatMap { number, combination in
            combination.map { affordance in
                SavedSense(
                    combination: UInt32(number), sense: affordance.sense,
                    intensity: UInt32(affordance.intensity.rawValue), context: affordance.context.map { $0 + 1 } ?? 0)
            }
        }
        try writer.write([UInt64(senses.count)].span, to: InventoryFile.combinations)
        try writer.write(affordances.span, to: InventoryFile.senses)
    }

    /// Whether an index has the same items, and returns the same results around 20 of them; O(n log n).
    package func agrees(with other: InventoryIndex) throws(KinError) -> Bool {
        var queries = [InventoryQuery()]
        for row in items.indices.prefix(20) {
            guard let location = item(inRow: row).location else { continue }
            queries.append(InventoryQuery(location: location, radiusKilometers: 5, season: .spring))
        }
        for query in queries {
            guard try search(query, k: .max) == other.search(query, k: .max) else { return false }
        }
        return true
    }

    private func json(inRow row: Int) -> [UInt8] {
        if let item = items[row] { return Array(item.jsonText.utf8) }
        return unsafe saved!.items.withBytes(of: row) { unsafe Array($0) }
    }

    /// Reads an index from a file with valid checksums; items stay in the file until they change or all are sorted.
    ///
    /// - Throws: `.corruptFile` for a file that contradicts itself.
    /// - Complexity: O(items), about 200 ns each.
    package init(file: SectionFile) throws(KinError) {
        let settings = try file.array(InventoryFile.settings, of: InventorySettings.self, count: 1)[0]
        guard settings.items < 1 << 31, settings.sensesAtSort < 1 << 60 else {
            throw .corrupt("section META is not from an inventory")
        }
        let count = Int(settings.items)
        let saved = SavedItems(
            ids: try SavedTexts(file, InventoryFile.ids, count: count),
            items: try SavedTexts(file, InventoryFile.items, count: count))
        self.init()
        self.saved = saved
        sensesAtSort = Int(settings.sensesAtSort)
        items = Array(repeating: nil, count: count)
        keys = try file.array(InventoryFile.keys, of: UInt32.self, count: count)
        rows = try file.array(InventoryFile.rows, of: UInt32.self, count: count)
        attributes = try file.array(InventoryFile.attributes, of: ItemAttributes.self, count: count)
        points = try file.array(InventoryFile.points, of: SpherePoint.self)
        senses = try SenseTable(file: file)
        rowsByID.reserveCapacity(count)
        for row in 0..<count {
            guard rowsByID.updateValue(row, forKey: saved.id(row)) == nil else {
                throw .corrupt("an item appears twice")
            }
        }
        var isFound = [Bool](repeating: false, count: count)
        for row in rows where Int(row) < count { isFound[Int(row)] = true }
        guard isFound.allSatisfy(\.self), zip(keys, keys.dropFirst()).allSatisfy(<=),
            points.count == keys.partition({ $0 != GeographicGrid.noCell }),
            attributes.allSatisfy({ [senses] in Int($0.senses) < senses.count })
        else { throw .corrupt("the slots of the inventory do not match its items") }
    }
}

extension SenseTable {
    fileprivate init(file: SectionFile) throws(KinError) {
        let words = try SavedTexts(file, InventoryFile.words)
        let count = try file.array(InventoryFile.combinations, of: UInt64.self, count: 1)[0]
        let affordances = try file.array(InventoryFile.senses, of: SavedSense.self)
        guard count <= UInt64(affordances.count) + 1 else { throw .corrupt("\(count) combinations of senses") }
        var combinations = [[SenseAffordance]](repeating: [], count: Int(count))
        for affordance in affordances {
            guard affordance.combination < count,
                let intensity = Affordance.Intensity(rawValue: Int(affordance.intensity))
            else { throw .corrupt("an unknown combination of senses") }
            combinations[Int(affordance.combination)].append(
                SenseAffordance(
                    sense: affordance.sense, intensity: intensity,
                    context: affordance.context > 0 ? affordance.context - 1 : nil))
        }
        guard let table = SenseTable(combinations: combinations, words: (0..<words.count).map { words[$0] }) else {
            throw .corrupt("a combination of senses appears twice")
        }
        self = table
    }
}
