// A C++17 program that uses libkin with values that free themselves: build, search with a filter, save, map, cluster.

#include <kin.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

template <auto release> struct Release {
    template <typename Handle> void operator()(Handle *handle) const {
        release(handle);
    }
};

using Index = std::unique_ptr<kin_index, Release<kin_index_free>>;
using Filter = std::unique_ptr<kin_filter, Release<kin_filter_free>>;
using Clustering = std::unique_ptr<kin_clustering, Release<kin_clustering_free>>;
using Text = std::unique_ptr<char, Release<kin_string_free>>;

void check(kin_status status) {
    if (status != KIN_OK) {
        throw std::runtime_error(std::string(kin_status_name(status)) + ": " + kin_last_error());
    }
}

void require(bool truth, const char *claim) {
    if (!truth) {
        throw std::logic_error(std::string("not true: ") + claim);
    }
}

constexpr std::size_t dimension = 8;
using Vector = std::array<float, dimension>;

std::vector<Vector> made_up(std::size_t count) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> uniform(-1, 1);
    std::vector<Vector> vectors(count);
    for (auto &vector : vectors) {
        for (auto &x : vector) {
            x = uniform(random);
        }
    }
    return vectors;
}

Index built(const std::vector<Vector> &vectors) {
    kin_index *made = nullptr;
    check(kin_index_create_flat(dimension, KIN_METRIC_COSINE, &made));
    Index index(made);
    std::uint64_t first = 1;
    check(kin_index_append(index.get(), vectors.front().data(), vectors.size(), sizeof(Vector), 1, &first));
    require(first == 0, "ids begin at 0");
    return index;
}

Filter first_half(std::size_t count) {
    std::vector<std::uint64_t> words(count / 128, ~std::uint64_t{0});
    kin_filter *made = nullptr;
    check(kin_filter_create_bitmap(words.data(), words.size(), &made));
    return Filter(made);
}

void search(const Index &index, const std::vector<Vector> &vectors) {
    constexpr std::size_t k = 10;
    Filter filter = first_half(vectors.size());
    kin_search_options options = KIN_SEARCH_OPTIONS_INIT;
    options.filter = filter.get();
    std::vector<std::uint64_t> ids(vectors.size() * k);
    std::vector<double> distances(ids.size());
    check(kin_index_search(index.get(), vectors.front().data(), vectors.size(), 0, k, &options, ids.data(),
                           distances.data(), nullptr));
    for (std::size_t q = 0; q < vectors.size(); ++q) {
        bool allowed = q < vectors.size() / 2;
        require(!allowed || (ids[q * k] == q && distances[q * k] < 1e-12), "a vector is nearest to itself");
        for (std::size_t rank = 0; rank < k; ++rank) {
            require(ids[q * k + rank] < vectors.size() / 2, "results pass the filter");
            require(rank == 0 || distances[q * k + rank] >= distances[q * k + rank - 1], "nearest first");
        }
    }
    char *text = nullptr;
    check(kin_index_explain(index.get(), vectors.front().data(), k, &options, &text));
    std::cout << Text(text).get() << '\n';
}

void cluster(const std::vector<Vector> &vectors) {
    kin_kmeans_options options = KIN_KMEANS_OPTIONS_INIT;
    options.metric = KIN_METRIC_COSINE;
    options.threads = 2;
    kin_clustering *made = nullptr;
    check(kin_kmeans_fit(vectors.front().data(), vectors.size(), dimension, 0, 12, &options, &made));
    Clustering clustering(made);
    std::vector<float> centroids(kin_clustering_k(made) * dimension);
    check(kin_clustering_centroids(made, centroids.data(), 0));
    kin_clustering *restored = nullptr;
    check(kin_clustering_create(centroids.data(), 12, dimension, 0, KIN_METRIC_COSINE, &restored));
    Clustering again(restored);
    std::vector<std::int64_t> labels(vectors.size());
    std::vector<std::int64_t> assigned(vectors.size());
    check(kin_clustering_labels(made, labels.data()));
    check(kin_clustering_assign(restored, vectors.front().data(), vectors.size(), 0, 2, assigned.data(), nullptr));
    require(labels == assigned, "restored centroids give the same labels");
    std::cout << kin_clustering_k(made) << " clusters, inertia " << kin_clustering_inertia(made) << '\n';
}

} // namespace

int main(int argc, char **argv) try {
    const std::string path = argc > 1 ? argv[1] : "example.kin";
    const auto vectors = made_up(1280);
    Index index = built(vectors);
    search(index, vectors);
    check(kin_index_save(index.get(), path.c_str()));
    kin_index *opened = nullptr;
    check(kin_index_map(path.c_str(), &opened));
    search(Index(opened), vectors);
    cluster(vectors);
    require(kin_index_map("/nowhere/at/all", &opened) == KIN_INPUT_OUTPUT, "a missing file is an error");
    std::cout << kin_last_error() << '\n';
    return 0;
} catch (const std::exception &error) {
    std::cerr << error.what() << '\n';
    return 1;
}
