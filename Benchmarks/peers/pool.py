"""The number of threads of libraries in this process that use OpenMP or BLAS."""

_limited = None


def limit(count):
    """Sets the number if it differs from the last: setting it takes longer than some searches."""
    global _limited
    if count != _limited:
        import threadpoolctl
        threadpoolctl.threadpool_limits(count)
        _limited = count


def limited(search):
    """Returns a function of queries and a number of threads that sets the number and calls `search` with the queries."""

    def run(queries, count):
        limit(count)
        return search(queries)

    return run
