"""The functions, options and constants of kin.h and kin_engine.h for ctypes. Made by .ci/generate."""

from __future__ import annotations

from ctypes import POINTER, Structure, c_char_p, c_double, c_int32, c_size_t, c_uint32, c_uint64, c_void_p
from typing import Any, Final

ABI_VERSION: Final = 1
"""KIN_ABI_VERSION of the header that this file was made from."""

METRICS: Final = ("l2", "ip", "cosine")
"""The constants KIN_METRIC_..., by their numbers."""

ATTRIBUTE_KINDS: Final = ("integer", "number", "category", "time", "boolean", "time-range")
"""The constants KIN_ATTRIBUTE_..., by their numbers."""

KINDS: Final = ("flat", "ivf")
"""The constants KIN_INDEX_..., by their numbers."""

POLICY_KINDS: Final = ("standard", "epsilon-greedy", "linucb", "thompson", "logistic-thompson", "logistic-ucb", "squarecb", "regcb")
"""The constants KIN_POLICY_..., by their numbers."""

ESTIMATORS: Final = ("ips", "snips", "dm", "dr", "switch-dr", "dros", "sg-dr")
"""The constants KIN_ESTIMATOR_..., by their numbers."""

SLATE_ESTIMATORS: Final = ("sips", "iips", "rips", "cascade-dr")
"""The constants KIN_SLATE_..., by their numbers."""


class FileOptions(Structure):
    """The structure kin_file_options."""

    _fields_ = [
        ("size", c_size_t),
        ("overwrite", c_int32),
        ("unmapped", c_int32),
    ]


class SearchOptions(Structure):
    """The structure kin_search_options."""

    _fields_ = [
        ("size", c_size_t),
        ("filter", c_void_p),
        ("threads", c_size_t),
        ("recall", c_double),
        ("probes", c_size_t),
        ("radii", c_void_p),
    ]


class Recommendation(Structure):
    """The structure kin_recommendation."""

    _fields_ = [
        ("size", c_size_t),
        ("positive", c_void_p),
        ("positive_count", c_size_t),
        ("positive_stride", c_size_t),
        ("positive_ids", c_void_p),
        ("positive_id_count", c_size_t),
        ("negative", c_void_p),
        ("negative_count", c_size_t),
        ("negative_stride", c_size_t),
        ("negative_ids", c_void_p),
        ("negative_id_count", c_size_t),
        ("negative_weight", c_double),
        ("diversity", c_double),
        ("category", c_char_p),
        ("per_category", c_size_t),
        ("excluded", c_void_p),
        ("excluded_count", c_size_t),
    ]


class KMeansOptions(Structure):
    """The structure kin_kmeans_options."""

    _fields_ = [
        ("size", c_size_t),
        ("metric", c_int32),
        ("threads", c_size_t),
        ("restarts", c_size_t),
        ("max_iterations", c_size_t),
        ("tolerance", c_double),
        ("seed", c_uint64),
        ("start", c_void_p),
        ("start_stride", c_size_t),
        ("weights", c_void_p),
    ]


class MiniBatchKMeansOptions(Structure):
    """The structure kin_minibatch_kmeans_options."""

    _fields_ = [
        ("size", c_size_t),
        ("metric", c_int32),
        ("threads", c_size_t),
        ("reassignment_ratio", c_double),
        ("seed", c_uint64),
    ]


class PolicyOptions(Structure):
    """The structure kin_policy_options."""

    _fields_ = [
        ("size", c_size_t),
        ("arms", c_size_t),
        ("pairs", c_int32),
        ("exploration", c_double),
        ("epsilon", c_double),
        ("prior_precision", c_double),
        ("effective_window", c_double),
        ("prior_intercept", c_double),
        ("prior_weights", c_void_p),
        ("seed", c_uint64),
    ]


class EngineOptions(Structure):
    """The structure kin_engine_options."""

    _fields_ = [
        ("size", c_size_t),
        ("read_only", c_int32),
        ("naming_key", c_void_p),
        ("naming_key_length", c_size_t),
        ("memory_budget", c_size_t),
    ]


# The result of each function, and its parameters. Arrays, handles and outputs are addresses, and so is a text that
# the caller has to give back: ctypes would turn it into bytes and forget where it was.
SIGNATURES: Final[dict[str, tuple[Any, list[Any]]]] = {
    "kin_version_number": (c_uint32, []),
    "kin_abi_version": (c_uint32, []),
    "kin_build_info": (c_char_p, []),
    "kin_last_error": (c_char_p, []),
    "kin_status_name": (c_char_p, [c_int32]),
    "kin_string_free": (None, [c_void_p]),
    "kin_set_progress": (None, [c_void_p, c_void_p]),
    "kin_filter_create_ids": (c_int32, [c_void_p, c_size_t, c_void_p]),
    "kin_filter_create_bitmap": (c_int32, [c_void_p, c_size_t, c_void_p]),
    "kin_filter_create_expression": (c_int32, [c_char_p, c_void_p]),
    "kin_filter_free": (None, [c_void_p]),
    "kin_index_create_flat": (c_int32, [c_size_t, c_int32, c_void_p]),
    "kin_index_create_ivf": (c_int32, [c_size_t, c_int32, c_size_t, c_void_p]),
    "kin_index_kind": (c_int32, [c_void_p]),
    "kin_index_copy": (c_int32, [c_void_p, c_void_p]),
    "kin_index_free": (None, [c_void_p]),
    "kin_index_count": (c_size_t, [c_void_p]),
    "kin_index_dimension": (c_size_t, [c_void_p]),
    "kin_index_metric": (c_int32, [c_void_p]),
    "kin_index_bytes": (c_size_t, [c_void_p]),
    "kin_index_upsert": (c_int32, [c_void_p, c_void_p, c_size_t, c_size_t, c_void_p, c_size_t]),
    "kin_index_append": (c_int32, [c_void_p, c_void_p, c_size_t, c_size_t, c_size_t, c_void_p]),
    "kin_index_remove": (c_int32, [c_void_p, c_void_p, c_size_t, c_void_p]),
    "kin_index_reserve": (c_int32, [c_void_p, c_size_t]),
    "kin_index_calibrate": (c_int32, [c_void_p, c_size_t]),
    "kin_index_compact": (c_int32, [c_void_p]),
    "kin_index_contains": (c_int32, [c_void_p, c_void_p, c_size_t, c_void_p]),
    "kin_index_get": (c_int32, [c_void_p, c_void_p, c_size_t, c_void_p, c_size_t]),
    "kin_index_ids": (c_int32, [c_void_p, c_void_p, c_size_t, c_void_p]),
    "kin_index_declare_attribute": (c_int32, [c_void_p, c_char_p, c_int32]),
    "kin_index_set_attribute": (c_int32, [c_void_p, c_char_p, c_int32, c_void_p, c_size_t, c_void_p, c_void_p]),
    "kin_index_schema": (c_int32, [c_void_p, c_void_p]),
    "kin_index_attributes": (c_int32, [c_void_p, c_uint64, c_void_p]),
    "kin_index_prepare": (c_int32, [c_void_p, c_void_p, c_size_t, c_void_p]),
    "kin_index_search": (c_int32, [
        c_void_p, c_void_p, c_size_t, c_size_t, c_size_t, POINTER(SearchOptions), c_void_p, c_void_p, c_void_p,
    ]),
    "kin_index_range_search": (c_int32, [
        c_void_p, c_void_p, c_size_t, c_size_t, c_double, POINTER(SearchOptions), c_void_p,
    ]),
    "kin_matches_offsets": (c_void_p, [c_void_p]),
    "kin_matches_ids": (c_void_p, [c_void_p]),
    "kin_matches_distances": (c_void_p, [c_void_p]),
    "kin_matches_free": (None, [c_void_p]),
    "kin_index_recommend": (c_int32, [
        c_void_p, POINTER(Recommendation), c_size_t, POINTER(SearchOptions), c_void_p, c_void_p, c_void_p,
    ]),
    "kin_index_explain": (c_int32, [c_void_p, c_void_p, c_size_t, POINTER(SearchOptions), c_void_p]),
    "kin_index_save": (c_int32, [c_void_p, c_char_p]),
    "kin_index_save_with": (c_int32, [c_void_p, c_char_p, POINTER(FileOptions)]),
    "kin_index_builder_create": (c_int32, [c_char_p, c_size_t, c_int32, c_size_t, c_size_t, c_void_p]),
    "kin_index_builder_create_with": (c_int32, [
        c_char_p, c_size_t, c_int32, c_size_t, c_size_t, POINTER(FileOptions), c_void_p,
    ]),
    "kin_index_builder_append": (c_int32, [c_void_p, c_void_p, c_size_t, c_size_t, c_void_p]),
    "kin_index_builder_finish": (c_int32, [c_void_p, c_size_t, c_void_p]),
    "kin_index_builder_free": (None, [c_void_p]),
    "kin_index_map": (c_int32, [c_char_p, c_void_p]),
    "kin_index_open": (c_int32, [c_char_p, POINTER(FileOptions), c_void_p]),
    "kin_index_verify": (c_int32, [c_char_p, c_void_p, c_void_p]),
    "kin_kmeans_fit": (c_int32, [c_void_p, c_size_t, c_size_t, c_size_t, c_size_t, POINTER(KMeansOptions), c_void_p]),
    "kin_clustering_create": (c_int32, [c_void_p, c_size_t, c_size_t, c_size_t, c_int32, c_void_p]),
    "kin_clustering_free": (None, [c_void_p]),
    "kin_clustering_k": (c_size_t, [c_void_p]),
    "kin_clustering_dimension": (c_size_t, [c_void_p]),
    "kin_clustering_count": (c_size_t, [c_void_p]),
    "kin_clustering_metric": (c_int32, [c_void_p]),
    "kin_clustering_inertia": (c_double, [c_void_p]),
    "kin_clustering_iterations": (c_size_t, [c_void_p]),
    "kin_clustering_is_converged": (c_int32, [c_void_p]),
    "kin_clustering_centroids": (c_int32, [c_void_p, c_void_p, c_size_t]),
    "kin_clustering_labels": (c_int32, [c_void_p, c_void_p]),
    "kin_clustering_sizes": (c_int32, [c_void_p, c_void_p]),
    "kin_clustering_weights": (c_int32, [c_void_p, c_void_p]),
    "kin_clustering_assign": (c_int32, [c_void_p, c_void_p, c_size_t, c_size_t, c_size_t, c_void_p, c_void_p]),
    "kin_minibatch_kmeans_create": (c_int32, [c_size_t, c_size_t, POINTER(MiniBatchKMeansOptions), c_void_p]),
    "kin_minibatch_kmeans_decode": (c_int32, [c_void_p, c_size_t, c_size_t, c_void_p]),
    "kin_minibatch_kmeans_encode": (c_int32, [c_void_p, c_void_p, c_size_t, c_void_p]),
    "kin_minibatch_kmeans_copy": (c_int32, [c_void_p, c_void_p]),
    "kin_minibatch_kmeans_free": (None, [c_void_p]),
    "kin_minibatch_kmeans_partial_fit": (c_int32, [c_void_p, c_void_p, c_size_t, c_size_t, c_void_p]),
    "kin_minibatch_kmeans_k": (c_size_t, [c_void_p]),
    "kin_minibatch_kmeans_dimension": (c_size_t, [c_void_p]),
    "kin_minibatch_kmeans_metric": (c_int32, [c_void_p]),
    "kin_minibatch_kmeans_count": (c_uint64, [c_void_p]),
    "kin_minibatch_kmeans_inertia": (c_double, [c_void_p]),
    "kin_minibatch_kmeans_centroids": (c_int32, [c_void_p, c_void_p, c_size_t]),
    "kin_minibatch_kmeans_clustering": (c_int32, [c_void_p, c_void_p, c_size_t, c_size_t, c_void_p, c_void_p]),
    "kin_pca_fit": (c_int32, [c_void_p, c_size_t, c_size_t, c_size_t, c_size_t, c_size_t, c_void_p]),
    "kin_pca_create": (c_int32, [c_void_p, c_void_p, c_void_p, c_double, c_size_t, c_size_t, c_void_p]),
    "kin_pca_free": (None, [c_void_p]),
    "kin_pca_dimension": (c_size_t, [c_void_p]),
    "kin_pca_count": (c_size_t, [c_void_p]),
    "kin_pca_total_variance": (c_double, [c_void_p]),
    "kin_pca_mean": (c_int32, [c_void_p, c_void_p]),
    "kin_pca_components": (c_int32, [c_void_p, c_void_p]),
    "kin_pca_explained_variance": (c_int32, [c_void_p, c_void_p]),
    "kin_pca_transform": (c_int32, [c_void_p, c_void_p, c_size_t, c_size_t, c_void_p, c_size_t]),
    "kin_pca_inverse_transform": (c_int32, [c_void_p, c_void_p, c_size_t, c_size_t, c_void_p, c_size_t]),
    "kin_policy_create": (c_int32, [c_int32, c_size_t, POINTER(PolicyOptions), c_void_p]),
    "kin_policy_decode": (c_int32, [c_void_p, c_size_t, c_void_p]),
    "kin_policy_encode": (c_int32, [c_void_p, c_void_p, c_size_t, c_void_p]),
    "kin_policy_copy": (c_int32, [c_void_p, c_void_p]),
    "kin_policy_free": (None, [c_void_p]),
    "kin_policy_dimension": (c_size_t, [c_void_p]),
    "kin_policy_arms": (c_size_t, [c_void_p]),
    "kin_policy_observations": (c_uint64, [c_void_p]),
    "kin_policy_choose": (c_int32, [c_void_p, c_void_p, c_size_t, c_size_t, c_void_p, c_void_p]),
    "kin_policy_choose_among": (c_int32, [c_void_p, c_void_p, c_void_p, c_size_t, c_void_p, c_void_p]),
    "kin_policy_learn": (c_int32, [c_void_p, c_void_p, c_size_t, c_size_t, c_void_p, c_void_p, c_void_p]),
    "kin_policy_play": (c_int32, [c_void_p, c_void_p, c_size_t, c_size_t, c_void_p, c_void_p, c_void_p]),
    "kin_policy_discount": (c_int32, [c_void_p, c_double]),
    "kin_policy_expected_rewards": (c_int32, [c_void_p, c_void_p, c_size_t, c_size_t, c_void_p]),
    "kin_policy_probabilities": (c_int32, [c_void_p, c_void_p, c_size_t, c_size_t, c_size_t, c_uint64, c_void_p]),
    "kin_off_policy_estimate": (c_int32, [
        c_int32, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_size_t, c_double, c_size_t, c_uint64, c_void_p,
    ]),
    "kin_off_policy_propensities": (c_int32, [
        c_void_p, c_void_p, c_size_t, c_size_t, c_size_t, c_void_p, c_size_t, c_double, c_uint64, c_void_p, c_void_p,
    ]),
    "kin_off_policy_select_features": (c_int32, [
        c_void_p, c_void_p, c_size_t, c_void_p, c_size_t, c_size_t, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p,
    ]),
    "kin_slate_estimate": (c_int32, [
        c_int32, c_size_t, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_size_t, c_double, c_size_t, c_uint64,
        c_void_p,
    ]),
    "kin_experiment_assign": (c_int32, [
        c_char_p, c_void_p, c_size_t, c_void_p, c_void_p, c_size_t, c_void_p, c_size_t, c_void_p,
    ]),
    "kin_experiment_test": (c_int32, [
        c_void_p, c_void_p, c_size_t, c_double, c_double, c_double, c_double, c_void_p, c_void_p,
    ]),
    "kin_experiment_size": (c_int32, [c_double, c_double, c_double, c_double, c_double, c_void_p]),
    "kin_experiment_effect": (c_int32, [c_double, c_size_t, c_double, c_double, c_double, c_void_p]),
    "kin_engine_open": (c_int32, [c_char_p, c_int32, c_void_p]),
    "kin_engine_open_keyed": (c_int32, [c_char_p, c_int32, c_void_p, c_size_t, c_void_p]),
    "kin_engine_open_with": (c_int32, [c_char_p, POINTER(EngineOptions), c_void_p]),
    "kin_engine_restore": (c_int32, [c_char_p, c_char_p]),
    "kin_engine_close": (c_int32, [c_void_p]),
    "kin_engine_call": (c_int32, [c_void_p, c_char_p, c_char_p, c_void_p]),
    "kin_engine_methods": (c_char_p, []),
}
