"""Data frames out of the files of the service."""

from __future__ import annotations

import importlib
import io
import json
import tempfile
from typing import TYPE_CHECKING, Any, Callable, Iterator

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

#: Gives the parts of a range in the format of an extension and media type.
Parts = Callable[[str, str], Iterator[bytes]]

CSV = ("csv", "text/csv")
ARROW = ("arrow", "application/vnd.apache.arrow.stream")

#: Columns of the CSV that hold JSON text.
LISTS = ("clouds", "rvr")
#: Columns of text that may look like numbers: ``0355``, ``01010070``, and a sector ``4`` beside ``calm``.
TEXTS = ("pk_time", "rwy_state", "wind_sector")


def arrow_table(parts: Parts) -> "pyarrow.Table":
    pa = _module("pyarrow")
    table: pyarrow.Table = pa.concat_tables([pa.ipc.open_stream(part).read_all() for part in parts(*ARROW)])
    return table


def polars_frame(parts: Parts) -> "polars.DataFrame":
    pl = _module("polars")
    frames = [pl.read_ipc_stream(io.BytesIO(part)) for part in parts(*ARROW)]
    frame: polars.DataFrame = pl.concat(frames, rechunk=True)
    return frame


def pandas_frame(parts: Parts, is_time: Callable[[str], bool]) -> "pandas.DataFrame":
    """``is_time``: whether a column holds times, which CSV writes as text.

    It is read from CSV also where pyarrow is installed: a frame has the same types everywhere, none of which overflows
    (``n - expected`` of unsigned columns does).
    """
    pd = _module("pandas")
    # One text, so that all parts get the same types.
    with tempfile.TemporaryFile() as text:
        for part in parts(*CSV):
            # The header row is ASCII and has no line break in a value.
            text.write(part if text.tell() == 0 else part[part.index(b"\n") + 1 :])
        text.seek(0)
        types = {name: str for name in TEXTS}
        frame: pandas.DataFrame = pd.read_csv(
            text, dtype=types, keep_default_na=False, na_values=[""], low_memory=False
        )
    for name in filter(is_time, frame.columns):
        frame[name] = pd.to_datetime(frame[name], utc=True)
    for name in LISTS:
        if name in frame:
            frame[name] = [_parse(value) for value in frame[name]]
    return frame


def _parse(value: Any) -> Any:
    return json.loads(value) if isinstance(value, str) else []


def _module(name: str) -> Any:
    try:
        module = importlib.import_module(name)
    except ImportError as error:
        raise ImportError(f"This needs {name}: pip install {name}") from error
    if name == "pyarrow":
        importlib.import_module("pyarrow.ipc")
    return module
