"""The answer to a question about the archive."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Iterator, Optional

from .frames import arrow_table, pandas_frame, polars_frame
from .transport import Response

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

PATH = "/v1/history/statistics"

Get = Callable[[str, "dict[str, str]", str], Response]


class Statistics:
    """Iterates over the rows of the answer, which are dictionaries: ``for row in client.statistics(…)``.

    ``n`` counts the reports of a group, ``expected`` its hours. A value that no report gives is absent.
    """

    def __init__(self, get: Get, parameters: "dict[str, str]") -> None:
        self._get = get
        self._parameters = parameters
        #: ``complete``, ``partial`` or ``none``; ``None`` before the response.
        self.coverage: Optional[str] = None

    def __iter__(self) -> Iterator["dict[str, Any]"]:
        answer = self._get(PATH, self._parameters, "application/json").json()
        self.coverage = answer["meta"]["coverage"]["status"]
        return iter(answer["data"])

    def to_pandas(self) -> "pandas.DataFrame":
        """All rows as one frame. Needs pandas."""
        return pandas_frame(self._parts, lambda name: name == "date" or name.startswith("time_of_"))

    def to_polars(self) -> "polars.DataFrame":
        """All rows as one frame. Needs polars."""
        return polars_frame(self._parts)

    def to_arrow(self) -> "pyarrow.Table":
        """All rows as one table. Needs pyarrow."""
        return arrow_table(self._parts)

    def _parts(self, extension: str, media_type: str) -> Iterator[bytes]:
        response = self._get(f"{PATH}.{extension}", self._parameters, media_type)
        self.coverage = response.headers["X-Coverage-Status"]
        yield response.body
