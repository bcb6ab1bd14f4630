import Kin

/// The error that `body` ends with; nil when it succeeds.
func error<Result>(of body: () throws(KinError) -> Result) -> KinError? {
    do throws(KinError) {
        _ = try body()
        return nil
    } catch { return error }
}
