package import Foundation
package import Hummingbird

/// The context of a request: Hummingbird's, with room for a `put` of about ten thousand records.
package struct ServiceContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The largest body of a request in bytes: 16 MiB.
    package var maxUploadSize: Int { 16 << 20 }

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
    }

    /// An encoder whose answers have their members in one order, so that equal answers are equal bytes.
    package var responseEncoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}
