"""The other libraries' approximate indexes, each at the best settings found for 16 dimensions.

Every class has:

- `library`, `setting`, `dial` (what its one setting at search time is called) and `values` (those tried);
- `sizes`: how many vectors it is meant for;
- `build(vectors, threads)`, `save(folder)` and `load(folder)`;
- `turn(value, threads)`, which sets the dial, and `search(queries, k)`, which gives ids;
- where it can filter, `filter_values` of the dial, `filters_batches` (whether it is worth while there) and `allow(mask)`:
  the searches that follow see the rows whose place in the mask is true.
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
    """The keys among `keys` of the indexes that are meant for so many vectors."""
    return [key for key in keys if rows in ALL[key].sizes]
