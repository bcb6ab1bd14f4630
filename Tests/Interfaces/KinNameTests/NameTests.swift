import Kin
import KinNameStubs
import Testing

@Suite("Names") struct NameTests {
    /// If Kin also had one of these names, it would be ambiguous here, and this file would not compile.
    @Test("an app's own type names need no qualification next to Kin's")
    func unqualified() {
        let own: [Any] = [
            Application(), Choice(), Color(), Content(), Environment(), Event(), Filter(), Goal(), Group(), Image(),
            Label(), List(), Model(), Mood(), Path(), Placement(), Policy(), Profile(), Query(), Reflection(),
            Request(), Rotation(), Route(), Season(), Section(), Session(), State(), Text(), User(), View(),
            Weather(), World(),
        ]
        for value in own { #expect(String(reflecting: type(of: value)).hasPrefix("KinNameStubs.")) }
        // Both modules are in use.
        #expect(BanditPolicy.self != Policy.self && PleasureSession.self != Session.self)
    }
}
