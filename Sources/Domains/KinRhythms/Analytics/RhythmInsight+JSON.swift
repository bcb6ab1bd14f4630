public import KinJSON

extension RhythmInsight: JSONWritable {
    /// The insight as JSON: `kind`, `title`, `text`, `confidence`, `numbers` by name, `created` and `expires` by the local clock.
    public var json: String { jsonText }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("kind") { $0.string(kind.rawValue) }
            writer.member("title") { $0.string(title) }
            writer.member("text") { $0.string(text) }
            writer.member("confidence") { $0.number((confidence * 1e6).rounded() / 1e6) }
            writer.member("numbers") { writer in
                writer.object { writer in
                    for number in numbers { writer.member(number.name) { $0.number(number.value) } }
                }
            }
            writer.member("created") { $0.string(LocalClock.text(created)) }
            writer.member("expires") { $0.string(LocalClock.text(expires)) }
        }
    }
}
