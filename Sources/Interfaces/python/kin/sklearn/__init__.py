"""scikit-learn's estimators with Kin's numerics: change only the import of a program.

    from kin.sklearn import PCA, KMeans, KNeighborsClassifier
    from sklearn.pipeline import make_pipeline

    make_pipeline(PCA(8), KNeighborsClassifier(5)).fit(X, y).predict(X)

Each class extends scikit-learn's class of the same name. Parameters, attributes, ``set_output``, metadata routing and
the display in notebooks are those of the installed release. Sparse tables are converted to dense tables, with a
``DataConversionWarning``.

Importing :mod:`kin` does not import scikit-learn; this module does. It needs the extra: ``pip install kin-engine[sklearn]``.
"""

try:
    import sklearn as _sklearn  # noqa: F401
except ImportError as failure:
    raise ImportError(f"kin.sklearn needs scikit-learn 1.6 or later: pip install 'kin-engine[sklearn]' ({failure})") from failure

from kin.sklearn.clusters import KMeans, MiniBatchKMeans
from kin.sklearn.components import PCA
from kin.sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor, KNeighborsTransformer, NearestNeighbors

__all__ = [
    "KMeans", "KNeighborsClassifier", "KNeighborsRegressor", "KNeighborsTransformer", "MiniBatchKMeans", "NearestNeighbors", "PCA",
]
