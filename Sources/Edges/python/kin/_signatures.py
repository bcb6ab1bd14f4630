"""Every function of kin.h and kin_engine.h: what it returns and takes. A test compares this file with the headers."""

from __future__ import annotations

from ctypes import POINTER, Structure, c_char_p, c_double, c_int32, c_size_t, c_uint32, c_uint64, c_void_p
from typing import Any, Literal

ABI_VERSION = 1
"""KIN_ABI_VERSION of the header that this file was written from."""

METRICS: tuple[Literal["l2"], Literal["ip"], Literal["cosine"]] = ("l2", "ip", "cosine")
"""The names of the constants KIN_METRIC_..., by their numbers."""

ATTRIBUTE_KINDS = ("integer", "number", "category", "time", "boolean", "time-range")
"""The names of the constants KIN_ATTRIBUTE_..., by their numbers."""

KINDS: tuple[Literal["flat"], Literal["ivf"]] = ("flat", "ivf")
"""The names of the constants KIN_INDEX_..., by their numbers."""

POLICY_KINDS = ("standard", "epsilon-greedy", "linucb", "thompson", "logistic-thompson", "logistic-ucb", "squarecb")
"""The names of the constants KIN_POLICY_..., by their numbers."""

ESTIMATORS = ("ips", "snips", "dm", "dr")
"""The names of the constants KIN_ESTIMATOR_..., by their numbers."""


class SearchOptions(Structure):
    """kin_search_options."""

    _fields_ = [
        ("size", c_size_t),
        ("filter", c_void_p),
        ("threads", c_size_t),
        ("recall", c_double),
        ("probes", c_size_t),
    ]


class KMeansOptions(Structure):
    """kin_kmeans_options."""

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


class PolicyOptions(Structure):
    """kin_policy_options."""

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


# Arrays, handles and outputs are addresses. A `char *` that the caller has to give back is one too, because
# ctypes would turn a c_char_p into bytes and forget where it was.
_status, _address, _size, _metric, _kind = c_int32, c_void_p, c_size_t, c_int32, c_int32
_search_options, _kmeans_options = POINTER(SearchOptions), POINTER(KMeansOptions)
_policy_options = POINTER(PolicyOptions)

SIGNATURES: dict[str, tuple[Any, list[Any]]] = {
    "kin_version_number": (c_uint32, []),
    "kin_abi_version": (c_uint32, []),
    "kin_build_info": (c_char_p, []),
    "kin_last_error": (c_char_p, []),
    "kin_status_name": (c_char_p, [_status]),
    "kin_string_free": (None, [_address]),
    "kin_filter_create_ids": (_status, [_address, _size, _address]),
    "kin_filter_create_bitmap": (_status, [_address, _size, _address]),
    "kin_filter_create_expression": (_status, [c_char_p, _address]),
    "kin_filter_free": (None, [_address]),
    "kin_index_create_flat": (_status, [_size, _metric, _address]),
    "kin_index_create_ivf": (_status, [_size, _metric, _size, _address]),
    "kin_index_kind": (_kind, [_address]),
    "kin_index_copy": (_status, [_address, _address]),
    "kin_index_free": (None, [_address]),
    "kin_index_count": (_size, [_address]),
    "kin_index_dimension": (_size, [_address]),
    "kin_index_metric": (_metric, [_address]),
    "kin_index_bytes": (_size, [_address]),
    "kin_index_upsert": (_status, [_address, _address, _size, _size, _address, _size]),
    "kin_index_append": (_status, [_address, _address, _size, _size, _size, _address]),
    "kin_index_remove": (_status, [_address, _address, _size, _address]),
    "kin_index_reserve": (_status, [_address, _size]),
    "kin_index_calibrate": (_status, [_address, _size]),
    "kin_index_compact": (_status, [_address]),
    "kin_index_contains": (_status, [_address, _address, _size, _address]),
    "kin_index_get": (_status, [_address, _address, _size, _address, _size]),
    "kin_index_ids": (_status, [_address, _address, _size, _address]),
    "kin_index_declare_attribute": (_status, [_address, c_char_p, _kind]),
    "kin_index_set_attribute": (
        _status,
        [_address, c_char_p, _kind, _address, _size, _address, _address],
    ),
    "kin_index_schema": (_status, [_address, _address]),
    "kin_index_attributes": (_status, [_address, c_uint64, _address]),
    "kin_index_prepare": (_status, [_address, _address, _size, _address]),
    "kin_index_search": (
        _status,
        [_address, _address, _size, _size, _size, _search_options, _address, _address, _address],
    ),
    "kin_index_range_search": (
        _status,
        [_address, _address, _size, _size, c_double, _search_options, _address],
    ),
    "kin_index_search_radius": (
        _status,
        [_address, _address, _size, _size, c_double, _search_options, _address],
    ),
    "kin_matches_offsets": (_address, [_address]),
    "kin_matches_ids": (_address, [_address]),
    "kin_matches_distances": (_address, [_address]),
    "kin_matches_free": (None, [_address]),
    "kin_index_explain": (_status, [_address, _address, _size, _search_options, _address]),
    "kin_index_save": (_status, [_address, c_char_p]),
    "kin_index_map": (_status, [c_char_p, _address]),
    "kin_index_verify": (_status, [c_char_p, _address, _address]),
    "kin_kmeans_fit": (_status, [_address, _size, _size, _size, _size, _kmeans_options, _address]),
    "kin_clustering_create": (_status, [_address, _size, _size, _size, _metric, _address]),
    "kin_clustering_free": (None, [_address]),
    "kin_clustering_k": (_size, [_address]),
    "kin_clustering_dimension": (_size, [_address]),
    "kin_clustering_count": (_size, [_address]),
    "kin_clustering_metric": (_metric, [_address]),
    "kin_clustering_inertia": (c_double, [_address]),
    "kin_clustering_iterations": (_size, [_address]),
    "kin_clustering_is_converged": (c_int32, [_address]),
    "kin_clustering_centroids": (_status, [_address, _address, _size]),
    "kin_clustering_labels": (_status, [_address, _address]),
    "kin_clustering_sizes": (_status, [_address, _address]),
    "kin_clustering_weights": (_status, [_address, _address]),
    "kin_clustering_assign": (_status, [_address, _address, _size, _size, _size, _address, _address]),
    "kin_pca_fit": (_status, [_address, _size, _size, _size, _size, _size, _address]),
    "kin_pca_create": (_status, [_address, _address, _address, c_double, _size, _size, _address]),
    "kin_pca_free": (None, [_address]),
    "kin_pca_dimension": (_size, [_address]),
    "kin_pca_count": (_size, [_address]),
    "kin_pca_total_variance": (c_double, [_address]),
    "kin_pca_mean": (_status, [_address, _address]),
    "kin_pca_components": (_status, [_address, _address]),
    "kin_pca_explained_variance": (_status, [_address, _address]),
    "kin_pca_transform": (_status, [_address, _address, _size, _size, _address, _size]),
    "kin_pca_inverse_transform": (_status, [_address, _address, _size, _size, _address, _size]),
    "kin_policy_create": (_status, [_kind, _size, _policy_options, _address]),
    "kin_policy_decode": (_status, [_address, _size, _address]),
    "kin_policy_encode": (_status, [_address, _address, _size, _address]),
    "kin_policy_copy": (_status, [_address, _address]),
    "kin_policy_free": (None, [_address]),
    "kin_policy_dimension": (_size, [_address]),
    "kin_policy_arms": (_size, [_address]),
    "kin_policy_observations": (c_uint64, [_address]),
    "kin_policy_lessons": (c_uint64, [_address]),
    "kin_policy_choose": (_status, [_address, _address, _size, _size, _address, _address]),
    "kin_policy_choose_among": (_status, [_address, _address, _address, _size, _address, _address]),
    "kin_policy_learn": (_status, [_address, _address, _size, _size, _address, _address, _address]),
    "kin_policy_play": (_status, [_address, _address, _size, _size, _address, _address, _address]),
    "kin_policy_discount": (_status, [_address, c_double]),
    "kin_policy_fade": (_status, [_address, c_double]),
    "kin_policy_expected_rewards": (_status, [_address, _address, _size, _size, _address]),
    "kin_policy_probabilities": (_status, [_address, _address, _size, _size, _size, c_uint64, _address]),
    "kin_off_policy_estimate": (
        _status,
        [
            _kind, _address, _address, _address, _address, _address, _size, c_double, _size, c_uint64, _address,
        ],
    ),
    "kin_engine_open": (_status, [c_char_p, c_int32, _address]),
    "kin_engine_open_keyed": (_status, [c_char_p, c_int32, _address, c_size_t, _address]),
    "kin_engine_close": (_status, [_address]),
    "kin_engine_call": (_status, [_address, c_char_p, c_char_p, _address]),
    "kin_engine_methods": (c_char_p, []),
}
