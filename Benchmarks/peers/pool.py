"""The number of threads of the libraries in this process that take it from OpenMP or BLAS."""

_limited = None


def limit(count):
    """Sets it where it differs from the last: setting takes longer than some searches."""
    global _limited
    if count != _limited:
        import threadpoolctl
        threadpoolctl.threadpool_limits(count)
        _limited = count
