extension RhythmMethods {
    static let babies = EngineMethod(
        "babies", "Lists the babies that a person owns, alone or with others, including those known only by events.",
        Parameter<String>("user", .id, "The person.")
    ) { engine, user throws(KinError) in try engine.store.babies(of: user) }

    static let shareBaby = EngineMethod(
        command: "share_baby", "Makes a person an owner of a stored baby. All owners have the same log.",
        answer: "`owners`: the ids of all owners",
        user, baby, Parameter<String>("other", .id, "The new owner.")
    ) { engine, user, baby, other in
        Members(["owners": try await engine.store.shareBaby(baby, of: user, with: other)])
    }

    static let unshareBaby = EngineMethod(
        command: "unshare_baby", "Removes an owner of a stored baby. The log remains with the other owners.",
        answer: "`owners`: the ids of the remaining owners",
        user, baby, Parameter<String>("other", .id, "The owner to remove, who may be the user.")
    ) { engine, user, baby, other in
        Members(["owners": try await engine.store.unshareBaby(baby, of: user, with: other)])
    }
}
