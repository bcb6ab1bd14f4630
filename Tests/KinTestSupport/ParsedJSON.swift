package import Foundation

/// The members of a text that is a JSON object.
package func jsonObject(_ text: String) throws -> [String: Any] { try parsed(text) }

/// The elements of a text that is a JSON array of objects.
package func jsonList(_ text: String) throws -> [[String: Any]] { try parsed(text) }

private func parsed<Value>(_ text: String) throws -> Value {
    guard let value = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? Value else {
        throw CocoaError(.coderReadCorrupt, userInfo: [NSDebugDescriptionErrorKey: text])
    }
    return value
}

extension Bundle {
    /// The content of one of the bundle's files from earlier releases, in its folder Golden.
    package func golden(_ name: String) throws -> [UInt8] {
        guard let place = url(forResource: "Golden/" + name, withExtension: nil) else {
            throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: name])
        }
        return try Array(Data(contentsOf: place))
    }
}
