package import KinCore

/// The code of the `KinError` that `body` throws, nil when it throws none: `#expect(errorCode { try … } == .notFinite)`.
package func errorCode<Result>(of body: () throws -> Result) -> KinError.Code? {
    do {
        _ = try body()
        return nil
    } catch {
        return (error as? KinError)?.code
    }
}
