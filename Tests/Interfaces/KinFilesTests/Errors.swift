import Kin

/// The error that `body` throws; nil if it succeeds.
func error<Result>(of body: () throws(KinError) -> Result) -> KinError? {
    do throws(KinError) {
        _ = try body()
        return nil
    } catch { return error }
}
