/// The rows of people in Serenity Soother's document, which have the same fields as Kin's souls.
enum SerenityShape {
    static let records = [
        GrainShape.record("soul", "soul", marks: SoulBlock.names, Soul.form.fields, ids: [.uid])
    ]
}
