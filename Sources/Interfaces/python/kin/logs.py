"""A baby's log from files and tables."""

import importlib
import os
import warnings
from collections.abc import Mapping
from datetime import date
from typing import Any, Literal, TypeGuard

from kin import _arrays, _arrow_reader, _json
from kin._library import call_json, library
from kin.errors import InputOutput, InvalidArgument, LogWarning, MalformedInput, callers_level, spelled

LogSource = str | bytes | os.PathLike[str] | _arrow_reader.ArrowStream


class ImportedLog(dict[str, Any]):
    """A log from a file or a table, for :func:`forecast`: ``name``, ``date_of_birth``, ``time_zone`` and ``events``.

    Attributes
    ----------
    report : dict
        ``files`` and ``repairs``. Each file has ``source``, ``format`` (absent if only the names of the columns were
        used), ``runner_up`` (absent if none is near), ``text`` (encoding and separator), ``events``, ``columns`` (with their meanings), ``ignored`` (unused columns with data) and
        ``assumptions``. Repairs are the repaired or omitted rows, with the reason.
    """

    def __init__(self, log: Mapping[str, Any], report: dict[str, Any]) -> None:
        super().__init__(log)
        self.report = report

    def warn(self) -> None:
        """Warns about ignored columns, assumptions, and rows that were repaired or left out."""
        remarks = [
            f"column {column['column']} holds data that is not used, such as {column['example']!r} in row {column['row']}"
            for file in self.report["files"] for column in file.get("ignored", [])
        ]
        remarks += [remark for file in self.report["files"] for remark in file.get("assumptions", [])]
        remarks += [f"row {repair['row']}: {repair['text']}" for repair in self.report["repairs"]]
        if remarks:
            more = f"; and {len(remarks) - 1} more" if len(remarks) > 1 else ""
            text = f"{remarks[0]}{more}; kin.read_log(...).report lists what was read, and how"
            warnings.warn(LogWarning(text), stacklevel=callers_level())


def read_log(
    source: LogSource | list[Any] | Mapping[str, Any],
    *,
    born: str | date | None = None,
    zone: str | None = None,
    child: str | None = None,
    dates: Literal["day-first", "month-first", "year-first"] | None = None,
    unit: Literal["ml", "oz"] | None = None,
    strict: bool = False,
) -> ImportedLog:
    """Reads a baby's log in the format of Kin or of a tracker.

    Encoding, separator, decimal mark, columns, dates, times and units are detected.

    Parameters
    ----------
    source : path, table, or list of dict
        A file in CSV or JSON, a folder of such files with one type each, or a file in Parquet or Arrow (read with
        pyarrow). A table is a data frame of pandas, Polars or Arrow. A list has a dict for each
        row, a dict a list for each column; both may also have the shape of any JSON that is read.
    born : str or date, optional
        The day of birth.
    zone : str, optional
        The local time zone for times with an offset, and for durations in place of ends, if the log does not name one.
        Default: the zone of the table's columns, unless it is UTC or an offset.
    child : str, optional
        The name of the child, as in the rows or of its list or file, if the log has several children.
    dates : {"day-first", "month-first", "year-first"}, optional
        The order of day, month and year in dates such as 03/04/2026, or 26-03-05 with the year first. Default: inferred from the dates of the log.
    unit : {"ml", "oz"}, optional
        The unit of amounts without a unit. Default: millilitres if the amounts cannot be ounces.
    strict : bool, default False
        Whether anything to report is an error.

    Raises
    ------
    InputOutput
        The file cannot be read.
    MalformedInput
        The log is invalid, or the order of day and month or the unit of amounts is ambiguous.
    """
    path, text = None, None
    if isinstance(source, (list, Mapping)):
        text = _json.encode(_present(source), "the log")
    else:
        path, table = path_or_table(source, f"a log is a path, a table or a list of rows, not a {type(source).__name__}")
        if path is None:
            rows, columns_zone = _arrow_reader.records_and_zone(table)
            zone = zone or columns_zone
            text = _json.encode(rows, "the table")
    options = {"born": born, "zone": zone, "child": child, "dates": dates, "unit": unit, "strict": _arrays.boolean(strict, "strict")}
    with spelled((r"^field \[", "field source[")):
        answer = call_json(library.kin_log_read, path, text, _json.encode(options, "an option"))
    return ImportedLog(answer["log"], answer["report"])


def _present(rows: Any) -> Any:
    """Rows without missing values, such as NaN."""
    if isinstance(rows, Mapping):
        return {name: _present(field) for name, field in rows.items() if not _arrays.is_missing(field)}
    if isinstance(rows, list):
        return [_present(field) for field in rows]
    return None if _arrays.is_missing(rows) else rows


def path_or_table(source: Any, refusal: str, reads_tables: bool = True) -> tuple[bytes | None, Any]:
    """The path of a file that the library reads, or else a table: given, or read from a file."""
    if not is_source(source):
        raise InvalidArgument(refusal)
    if not isinstance(source, (str, bytes, os.PathLike)):
        return None, source
    path = _arrays.path(source)
    table = _read_table(path.decode()) if reads_tables else None
    return (path, None) if table is None else (None, table)


def _read_table(path: str) -> Any:
    """The table in a file of Parquet or Arrow; None for other files."""
    ending = os.path.splitext(path)[1].lower()
    module = {".parquet": "parquet", ".pq": "parquet", ".arrow": "feather", ".feather": "feather"}.get(ending)
    if module is None:
        return None
    try:
        reader = importlib.import_module(f"pyarrow.{module}")
    except ImportError:
        raise InvalidArgument(f"{path} is read with pyarrow, which is not installed; install it, or convert the file to CSV") from None
    try:
        return reader.read_table(path)
    except OSError as error:
        raise InputOutput(f"file {path}: {error}") from None
    except ValueError as error:
        raise MalformedInput(f"file {path}: {error}; check that it is a file of Parquet or Arrow") from None


def is_source(log: Any) -> TypeGuard[LogSource]:
    """Whether a log is a path or a table, which :func:`read_log` reads."""
    return isinstance(log, (str, bytes, os.PathLike)) or _arrow_reader.is_lent(log)
