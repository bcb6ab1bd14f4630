"""The tests of scikit-learn 1.9 that kin.sklearn does not pass, each with its reason: by module, regular expressions of
whole names."""

METRICS = "kin.sklearn has Euclidean and cosine distances, and refuses others by name"
ROUNDED = "coordinates are read as float32, so that results differ by 1e-7 and more than the test allows"
TREES = "there is no tree to choose, and no error for one that could not be used"

OTHER_METRICS = (
    "(braycurtis|canberra|chebyshev|cityblock|correlation|dice|hamming|haversine|jaccard|l1|mahalanobis|manhattan|nan_euclidean"
    "|rogerstanimoto|russellrao|seuclidean|sokalsneath|yule|DM_euclidean)"
)

EXCLUSIONS = {
    "test_k_means": {
        r"test_kmeans_verbose\[.*\]": "it expects the lines that scikit-learn's own iterations print",
        r"test_score_max_iter\[.*MiniBatchKMeans\]": "the clusters that batches start from are as good after one pass as after ten",
        r"test_transform\[.*\]": ROUNDED,
        r"test_relocating_with_duplicates\[.*\]": "an empty cluster is filled in a pass of its own, and n_iter_ is 2",
    },
    "test_neighbors": {
        rf"test_unsupervised_kneighbors\[.*-{OTHER_METRICS}-.*\]": METRICS,
        rf"test_neigh_predictions_algorithm_agnosticity\[.*-KNeighbors.*-{OTHER_METRICS}-.*\]": METRICS,
        rf"test_(neighbors_metrics|kneighbors_brute_backend|radius_neighbors_brute_backend)\[.*-({OTHER_METRICS}|minkowski)\]": METRICS,
        rf"test_valid_brute_metric_for_auto_algorithm\[.*-({OTHER_METRICS}|minkowski)\]": METRICS,
        rf"test_neighbors_classifier_with_string_labels\[KNeighborsClassifier-{OTHER_METRICS}\]": METRICS,
        r"test_nan_euclidean_support\[KNeighbors.*\]": METRICS,
        r"test_neighbors_minkowski_semimetric_algo_(warn|error)\[.*-KNeighbors.*\]": METRICS,
        r"test_nearest_neighbours_works_with_p_less_than_1": METRICS,
        r"test_kneighbors_classifier_predict_proba\[.*\]": METRICS,
        r"test_unsupervised_radius_neighbors\[.*\]": METRICS,
        r"test_(callable_metric|metric_params_interface|non_euclidean_kneighbors|pairwise_boolean_distance)": METRICS,
        r"test_sparse_metric_callable\[.*\]": METRICS,
        r"test_neighbors_validate_parameters\[csr_.*-KNeighbors.*\]": METRICS,
        r"test_predict_sparse_ball_kd_tree\[.*\]": TREES,
        r"test_auto_algorithm\[X[1-5]-.*\]": TREES,
    },
    "test_neighbors_pipeline": {},
    "test_graph": {},
    "test_pca": {
        r"test_pca_svd_solver_auto\[.*\]": "it reads a private attribute of scikit-learn's solver",
        r"test_pca_solver_equivalence\[.*-float64-True-True-tall-covariance_eigh\]": ROUNDED,
        r"test_sparse_pca_solver_error\[.*\]": "a sparse table becomes dense for every solver",
    },
}
