/// Content with records that may need a newer app.
protocol VersionedContent: JSONRecord, Sendable {
    /// The first version of the app that can show the record; nil for every version.
    var minimumAppVersion: AppVersion? { get set }
}

extension Challenge: VersionedContent {}
extension ContentItem: VersionedContent {}

/// A document of content as an app ships it: one object with lists of days or challenges, and the first version of the
/// app that can show them.
///
///     {"version": "3", "minimumAppVersion": "1.4", "content": [{"id": 1, "quote": …}, …], "challenges": […]}
///
/// A record that needs a newer app than the document has its own version. Other members do not describe records, and
/// are skipped.
package struct ContentDocument: Sendable {
    /// The days of content.
    package private(set) var days: [ContentItem] = []
    /// The challenges of the document.
    package private(set) var challenges: [Challenge] = []

    /// The part of a document in a member.
    enum Part {
        case days, challenges, minimumAppVersion

        /// The part with a name, in snake or camel case; nil for members that do not describe records.
        init?(_ name: String) {
            switch Spelling.plain(name) {
            case "content", "days", "dailycontent": self = .days
            case "challenges": self = .challenges
            case "minimumappversion", "minappversion": self = .minimumAppVersion
            default: return nil
            }
        }
    }

    /// Whether an object is a document: it has days or challenges that are not a text, such as the content of a story.
    package static func isRecognized(_ reader: inout JSONReader) throws(KinError) -> Bool {
        var isDocument = false
        try reader.members { reader, name throws(KinError) in
            let part = Part(name)
            if part == .days || part == .challenges, !reader.isAtString() { isDocument = true }
            try reader.skip()
        }
        return isDocument
    }

    /// Reads a document of content from its JSON object.
    ///
    /// - Throws: `.malformedInput`, or as the records, naming the field.
    package init(from reader: inout JSONReader) throws(KinError) {
        var version: AppVersion?
        try reader.members { reader, name throws(KinError) in
            switch Part(name) {
            case .days: days += try reader.list { reader throws(KinError) in try ContentItem(from: &reader) }
            case .challenges: challenges += try reader.list { reader throws(KinError) in try Challenge(from: &reader) }
            case .minimumAppVersion: version = try Self.version(&reader)
            case nil: try reader.skip()
            }
        }
        days = days.map { $0.requiring(version) }
        challenges = challenges.map { $0.requiring(version) }
    }

    /// Reads the version of a document; nil for null.
    static func version(_ reader: inout JSONReader) throws(KinError) -> AppVersion? {
        try reader.optional(JSONForm.appVersion.read)
    }
}

extension VersionedContent {
    /// The record for apps from a version on, unless the record itself needs a newer one.
    func requiring(_ version: AppVersion?) -> Self {
        var record = self
        record.minimumAppVersion = [version, minimumAppVersion].compactMap(\.self).max()
        return record
    }
}
