/// The numbers of a generated world, in the format of Serenity Soother's document.
struct WorldGenerationResult: DeclaredObject, Sendable {
    /// The app's id of the world.
    let universeID: String
    let world: RealmWorld

    static let schema = ObjectSchema<WorldGenerationResult>(
        .field("success", { _ in true }),
        .field("universeId", \.universeID),
        .field("realmsCreated", \.world.realms.count),
        .field("zonesCreated", \.world.zones.count),
        .field("scenesIncorporated", \.world.scenes.count),
        .field("objectsDetected", \.world.objectCount))
}
