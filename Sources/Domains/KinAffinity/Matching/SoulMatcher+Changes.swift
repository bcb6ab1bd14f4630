extension SoulMatcher {
    /// Adds souls, or replaces those with the same ids.
    ///
    /// - Parameters:
    ///   - souls: The souls, each person once.
    ///   - threads: The number of threads; the result does not depend on it.
    /// - Throws: As ``init(_:model:rarity:threads:)``, and `.cancelled` for thousands of souls; nothing has changed
    ///   then.
    /// - Complexity: About 200 µs a person, and O(distinct goals); if half of all people have changed, the cost of a
    ///   new matcher.
    public mutating func upsert(_ souls: [Soul], threads: Int = 1) throws(KinError) {
        try requireThreads(threads)
        try Self.check(souls)
        // A few souls are changed in place and cannot be cancelled: copying the matcher would cost more than waiting.
        guard souls.count >= 1024 else {
            return try ProgressScope.shielded { () throws(KinError) in try apply(souls, threads: threads) }
        }
        let before = LongWork.isObserved ? self : nil
        do throws(KinError) {
            try apply(souls, threads: threads)
        } catch {
            if let before { self = before }
            throw error
        }
    }

    /// Adds or replaces checked souls; a cancellation may leave some of them applied.
    private mutating func apply(_ souls: [Soul], threads: Int) throws(KinError) {
        let changed = try put(souls, threads: threads)
        changes += souls.count
        guard changes <= max(peopleAtFit / 2, 1024) else { return try rebuild(threads: threads) }
        let outdated = settleRarity()
        guard outdated.count <= count / 2 else { return try rebuild(threads: threads) }
        try index(Array(outdated.union(changed)).sorted(), threads: threads)
    }

    /// Removes a person from the matcher.
    ///
    /// - Returns: Whether the person was in the matcher.
    /// - Complexity: As ``upsert(_:threads:)`` for one person.
    @discardableResult
    public mutating func remove(_ user: String) -> Bool {
        guard let slot = slots.removeValue(forKey: user) else { return false }
        clear(slot)
        table.replace(slot, by: SoulRow.emptyWords)
        ids[slot] = ""
        free.append(slot)
        changes += 1
        infallible("vectors of souls are finite") { () throws(KinError) in
            try ProgressScope.shielded { () throws(KinError) in try index(settleRarity().sorted(), threads: 1) }
        }
        return true
    }

    /// Checks that no person occurs twice or is already known.
    static func check(_ souls: [Soul], notIn known: [String: Int] = [:]) throws(KinError) {
        var seen: Set<String> = []
        for soul in souls {
            guard seen.insert(soul.userID).inserted, known[soul.userID] == nil else {
                throw KinError(.duplicateID, "the person appears twice").within("user", soul.userID)
            }
        }
    }

    /// Stores the rows of souls, counts their goals, and removes earlier entries from the indexes.
    ///
    /// - Returns: The slots of the souls.
    /// - Throws: `.cancelled`.
    @discardableResult
    mutating func put(_ souls: [Soul], threads: Int) throws(KinError) -> [Int] {
        let vectors = souls.map(threads: threads) { SoulVector($0, rarity: nil) }
        let firstGoal = features.goals.count
        let work = LongWork(of: souls.count)
        var changed: [Int] = []
        var new: [[UInt64]] = []
        for (soul, vector) in zip(souls, vectors) {
            let words = SoulRow.words(vector, features: &features)
            let known = slots[soul.userID]
            if let known { clear(known) }
            let slot = known ?? free.popLast() ?? table.count + new.count
            if slot < table.count {
                table.replace(slot, by: words)
            } else {
                new.append(words)
                ids.append("")
            }
            ids[slot] = soul.userID
            slots[soul.userID] = slot
            changed.append(slot)
            if isCounted { model.rarity?.count(vector.blocks[0].names, by: 1) }
            if changed.count % 256 == 0 { try work.step(by: 256) }
        }
        table.append(new)
        factors.grow(to: features)
        if isCounted {
            for slot in changed { factors.add(table[slot].goals, of: slot) }
        } else if let rarity = model.rarity {
            factors.set(features.goals[firstGoal...], of: features, by: rarity)
        }
        return changed
    }

    /// Removes a slot's soul from its index and from the counts of goals.
    private mutating func clear(_ slot: Int) {
        let row = table[slot]
        groups[Int(row.mask.rawValue)]?.remove(VectorID(UInt64(slot)))
        guard isCounted else { return }
        factors.remove(row.goals, of: slot)
        model.rarity?.count(row.goals.map { features.name(UInt32($0)) }, by: -1)
    }

    /// Updates the factors of goals.
    ///
    /// - Returns: The slots of vectors whose factors differ too much from the current ones.
    private mutating func settleRarity() -> Set<Int> {
        guard isCounted else { return [] }
        factors.update(people: count, goals: features.goals)
        guard factors.slack > GoalFactors.mostSlack else { return [] }
        return Set(factors.refit(features.goals).map { Int($0) })
    }

    /// Makes the vectors of slots, and inserts them into the indexes of their groups.
    ///
    /// - Throws: `.cancelled`.
    private mutating func index(_ slots: [Int], threads: Int) throws(KinError) {
        var members = [[Int]](repeating: [], count: 32)
        for slot in slots where !ids[slot].isEmpty { members[Int(table[slot].mask.rawValue)].append(slot) }
        for (mask, slots) in members.enumerated() where mask > 0 && !slots.isEmpty {
            let vectors = vectors(of: slots, threads: threads)
            var index =
                groups[mask] ?? VectorIndex(exactlySearched: frame.dimension, metric: .squaredL2, alongOwnAxes: true)
            groups[mask] = nil
            try index.upsert(vectors, ids: slots.map { VectorID(UInt64($0)) }, threads: threads)
            groups[mask] = index
        }
    }

    /// The vectors of slots, made with the indexed factors.
    func vectors(of slots: [Int], threads: Int) -> Matrix<Float> {
        let width = frame.dimension
        var vectors = Matrix<Float>(rows: slots.count, columns: width)
        unsafe vectors.withUnsafeMutableBufferPointer { all in
            let all = unsafe all
            let parts = max(1, min(threads, slots.count / 256))
            concurrently(parts) { part in
                for i in slots.count * part / parts..<slots.count * (part + 1) / parts {
                    let row = table[slots[i]]
                    unsafe frame.project(row, goals: factors.indexed, into: all.baseAddress! + i * width)
                }
            }
        }
        return vectors
    }

    /// Fits new axes, and indexes all people with the current rarity.
    mutating func rebuild(threads: Int) throws(KinError) {
        if isCounted { factors.update(people: count, goals: features.goals) }
        factors.reset()
        let everybody = ids.indices.filter { !ids[$0].isEmpty }
        // A sample of about 8,192 people is enough for the axes.
        let step = max(1, everybody.count / 8192)
        let sample = stride(from: 0, to: everybody.count, by: step).map { everybody[$0] }
        groups = Array(repeating: nil, count: 32)
        frame = try MatchingFrame(weights: model.weights, sample: sample, of: table, goals: factors.current)
        changes = 0
        peopleAtFit = everybody.count
        try index(everybody, threads: threads)
    }
}

extension SoulRow {
    /// The words of an empty row, for free slots.
    static let emptyWords: [UInt64] = [0, 0, 0, 0, 0, 0]
}

extension Array where Element: Sendable {
    /// Transforms the elements on several threads.
    func map<Result: Sendable>(threads: Int, _ transform: (Element) -> Result) -> [Result] {
        concurrentMap(threads, rangesOf: count, atLeast: 256) { self[$0].map(transform) }.flatMap(\.self)
    }
}
