/// The sixteen dimensions of a profile, in storage order; each coordinate lies in 0…1.
///
/// An index of sixteen dimensions that brings no column names of its own is taken to hold profiles, so that a query can
/// be written `near nature_mirror=0.9 mobility=0.7`.
enum PleasureDimensions {
    static let names = [
        "order", "enclosure", "path", "horizon",
        "anxiety", "ignorance", "repetition",
        "post",
        "food", "mobility", "erotic_uncertainty", "material_play",
        "power", "nature_mirror", "serendipity_following", "anchor_expansion",
    ]
}
