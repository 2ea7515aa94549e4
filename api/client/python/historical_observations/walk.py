"""All records of a range, whatever its length."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Iterator, Optional

from .frames import arrow_table, pandas_frame, polars_frame
from .transport import Response

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

#: Columns that hold times.
TIMES = ("observedAt", "hour")
#: Records of one request that every plan allows.
PAGE = 10_000
#: Records of one request for a file, where the plan allows more than one request a second (sandbox does not).
PART = 200_000

Get = Callable[[str, "dict[str, str]", str], Response]


class Walk:
    """Iterates over the records of a range, as the service sends them: ``for record in client.observations(…)``.

    Each loop begins at ``cursor``. A failure raises: no part of a range is ever returned as the whole.
    """

    def __init__(
        self, get: Get, path: str, filters: dict[str, str], limit: Optional[int], cursor: Optional[str]
    ) -> None:
        self._get = get
        self._path = path
        self._filters = filters
        self._limit = limit
        #: Where another walk resumes this one: the begin of the page whose records are being returned. ``None`` at the
        #: begin and at the end of the range.
        self.cursor: Optional[str] = cursor
        #: ``complete``, ``partial`` or ``none``; ``None`` before the first response.
        self.coverage: Optional[str] = None

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for page in self.pages():
            yield from page["data"]

    def pages(self) -> Iterator[dict[str, Any]]:
        """The same records a page at a time. Save ``page["meta"]["nextCursor"]`` with the records of each page to resume
        without repeating one."""
        while True:
            limit = self._limit or PAGE
            page = self._get(self._path, self._parameters(limit), "application/json").json()
            self.coverage = page["meta"]["coverage"]["status"]
            yield page
            # Only now: a caller that stops within the page resumes at its first record.
            self.cursor = page["meta"].get("nextCursor")
            if not page["meta"]["hasMore"]:
                return

    def to_pandas(self) -> "pandas.DataFrame":
        """All records as one frame. Needs pandas."""
        return pandas_frame(self._parts, lambda name: name in TIMES)

    def to_polars(self) -> "polars.DataFrame":
        """All records as one frame. Needs polars."""
        return polars_frame(self._parts)

    def to_arrow(self) -> "pyarrow.Table":
        """All records as one table. Needs pyarrow."""
        return arrow_table(self._parts)

    def _parts(self, extension: str, media_type: str) -> Iterator[bytes]:
        """The range in files of one format, the first of them small: its headers say what the plan allows."""
        limit = self._limit or PAGE
        while True:
            response = self._get(f"{self._path}.{extension}", self._parameters(limit), media_type)
            headers = response.headers
            self.coverage = headers["X-Coverage-Status"]
            yield response.body
            self.cursor = headers["X-Next-Cursor"]
            if headers["X-Has-More"] != "true":
                return
            if self._limit is None and headers["X-RateLimit-Limit"] != "1":
                limit = PART

    def _parameters(self, limit: int) -> dict[str, str]:
        cursor = {} if self.cursor is None else {"cursor": self.cursor}
        return {**self._filters, "limit": str(limit), **cursor}
