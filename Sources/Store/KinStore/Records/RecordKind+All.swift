import KinAffinity
import KinChallenges
import KinPleasure
import KinRealms
import KinRhythms

extension RecordKind {
    /// The one list of what a store keeps, in the order in which it is exported.
    ///
    /// Everything that is done with all records goes by it: checking, exporting, importing, forgetting, removing, counting. A test holds it
    /// against the tables of the database.
    static let types: [any StoredRecord.Type] = [
        ProfileVersion.self, PleasureSession.self, Soul.self, NameRecord.self, OwnContribution.self, InboxRecord.self,
        BlockRecord.self, BabyRecord.self, CareEvent.self, InventoryItem.self, ImageAnalysis.self,
        AffinitySettings.self, ChallengePreferences.self,
        UserChallenge.self, ChallengeDecision.self, ChallengeState.self, NotificationRecord.self, ContentRotation.self,
        DailyReflection.self, Challenge.self, ContentItem.self,
    ]

    /// Every kind, in the order in which they are exported.
    static let all: [RecordKind] = types.map { $0.kind }
}
