"""The other libraries' approximate indexes, each with its best settings for 16 dimensions.

Every class has:

- `library` and `setting`;
- `dial`, the name of the setting at search time, and `values`, the values tried;
- `sizes`: the numbers of vectors for which it is intended;
- `build(vectors, threads)`, `save(folder)` and `load(folder)`;
- `turn(value, threads)`, which sets the dial, and `search(queries, k)`, which returns ids.

A class that can filter also has:

- `filter_values` of the dial, and `filters_batches`, whether batches are worthwhile;
- `allow(mask)`, which limits later searches to the rows where the mask is true.
"""

from indexes.faiss_ivf import FaissIVF256, FaissIVF1024, FaissIVF4096
from indexes.hnswlib_graph import HnswlibGraph
from indexes.pynear_graph import PynearGraph, PynearGraphSQ8
from indexes.scann_tree import ScannTree
from indexes.svs_vamana import SvsVamana
from indexes.usearch_graph import UsearchGraph

ALL = {made.key: made for made in (
    HnswlibGraph, FaissIVF256, FaissIVF1024, FaissIVF4096, ScannTree, SvsVamana, UsearchGraph, PynearGraph,
    PynearGraphSQ8)}


def meant_for(rows, keys):
    """The keys among `keys` of the indexes intended for this number of vectors."""
    return [key for key in keys if rows in ALL[key].sizes]
