/// An answer in one of two forms.
package protocol EitherAnswer {
    /// The answer in its own type.
    var answer: any JSONWritable & Sendable { get }
}

/// An answer in Kin's form or, if a shape is requested, in the format of an app's document.
enum ShapedAnswer<Plain: JSONWritable & Sendable, Shaped: JSONWritable & Sendable>: JSONWritable, EitherAnswer {
    case plain(Plain)
    case shaped(Shaped)

    static var jsonType: JSONType { Plain.jsonType }

    package var answer: any JSONWritable & Sendable {
        switch self {
        case .plain(let answer): answer
        case .shaped(let answer): answer
        }
    }

    func write(to writer: inout JSONWriter) { answer.write(to: &writer) }
}
