"""Client of the historical observations service. Needs requests and pandas.

>>> client = Client("http://127.0.0.1:8080", os.environ["KEY"])
>>> frame = client.observations("XAAA", "2024-01-01", "2025-01-01", include=["raw", "decoded"]).to_pandas()
"""

from __future__ import annotations

import json
import random
import tempfile
import time
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Callable, Iterator, Optional

import pandas
import requests

__version__ = "0.1.0"

#: Seconds without a byte. Longer than the time limits of the service for a request.
TIMEOUT = 120.0
#: How often in a row a request is repeated: seven delays add up to about a minute.
MAX_RETRIES = 7
#: The most seconds that the client waits for ``Retry-After``: a longer time comes from a wrong clock.
MAX_WAIT = 3600.0
#: Statuses of a service, or of a proxy before it, that can serve the same request later.
TEMPORARY = (429, 502, 503)
#: Records of one request that every plan allows.
PAGE = 10_000
#: Records of one request for a file, where the plan allows more than one request a second (sandbox does not).
PART = 200_000
#: Endpoints whose ranges are of days.
OF_DAYS = ("daily", "monthly", "normals")
#: Columns of times, of JSON text, and of text that may look like numbers: ``0355``, ``01010070``.
TIMES = ("observedAt", "hour", "date")
LISTS = ("clouds", "rvr")
TEXTS = ("pk_time", "rwy_state", "wind_sector")
#: Columns in which ``-0`` is a value of its own.
TEMPERATURES = ("temp_c", "dewp_c")


class TransportError(Exception):
    """There is no response of the service: the connection failed, or a program between client and service responded."""

    def __init__(self, message: str, status: Optional[int] = None) -> None:
        super().__init__(message)
        self.status = status


class ProblemError(Exception):
    """The service refused the request, and says why (RFC 9457)."""

    def __init__(self, problem: dict[str, Any]) -> None:
        self.status: int = problem["status"]
        #: Never changes its meaning, such as ``invalid_credentials``.
        self.code: str = problem["code"]
        self.detail: str = problem.get("detail", "")
        #: Quote it when you report an error.
        self.request_id: str = problem.get("requestId", "")
        #: Each wrong parameter, with what to write instead.
        self.errors: list[dict[str, str]] = problem.get("errors", [])
        lines = [f"{each['parameter']}: {each['detail']}" for each in self.errors]
        super().__init__("\n".join([f"{self.status} {self.code}: {self.detail}", *lines]))


class Client:
    """The service at ``url``, asked with an API key.

    ``max_retries``: how often in a row a request is repeated after 502, 503 or a failed connection. After 429 (the limit of
    the plan) it waits as often as the service asks; ``on_wait`` is called with the seconds before each such wait.
    All methods take further parameters of their endpoint by name, such as ``filter``; lists are joined with commas.
    In statistics and hourly series, two days (``date`` or text) are days of ``tz``; elsewhere a day stands for its start in UTC.
    """

    def __init__(
        self,
        url: str,
        key: str,
        *,
        max_retries: int = MAX_RETRIES,
        on_wait: Optional[Callable[[float], None]] = None,
    ) -> None:
        self._url = url.rstrip("/")
        self._key = key
        self._max_retries = max_retries
        self._on_wait = on_wait
        self._session = requests.Session()

    def observations(self, stations: Any, from_: Any, to: Any, **parameters: Any) -> Walk:
        """The reports from ``from_`` to before ``to``, in the order of time, station and type (``order="desc"``: the
        newest first): ``type``, ``include``, ``limit`` (records of one request), ``cursor`` (where an earlier walk with
        the same filters stopped). ``stations`` is ``None`` if ``country``, ``bbox`` or ``near`` selects the stations."""
        return Walk(self, "observations", {"stations": stations, "from": from_, "to": to, **parameters})

    def hourly(self, stations: Any, from_: Any, to: Any, **parameters: Any) -> Walk:
        """One row for each station and nominal hour, also where nothing was reported: ``fields``, ``tz``
        (of days), ``limit``, ``cursor``."""
        return Walk(self, "hourly", {"stations": stations, "from": from_, "to": to, **parameters})

    def statistics(
        self, stations: Any, from_: Any, to: Any, select: Any = None, by: Any = None, **parameters: Any
    ) -> Walk:
        """A question about the archive, such as ``select="mean(temp_c)", by="month"``; also ``preset``, ``sample``, ``tz``, and
        ``of="days"`` with ``select="max(max_temp_c)"``."""
        question = {"stations": stations, "from": from_, "to": to, "select": select, "by": by, **parameters}
        return Walk(self, "statistics", question)

    def daily(self, stations: Any, from_: Any, to: Any, **parameters: Any) -> Walk:
        """One record for each station and day of standard time, or of ``tz="utc"``: ``fields``, ``filter``, ``order``."""
        return Walk(self, "daily", {"stations": stations, "from": from_, "to": to, **parameters})

    def monthly(self, stations: Any, from_: Any, to: Any, **parameters: Any) -> Walk:
        """One record for each station and month of such days."""
        return Walk(self, "monthly", {"stations": stations, "from": from_, "to": to, **parameters})

    def normals(self, stations: Any, from_: Any, to: Any, **parameters: Any) -> Walk:
        """One record for each station and month of its mean year, and one for the year. The range is of whole months."""
        return Walk(self, "normals", {"stations": stations, "from": from_, "to": to, **parameters})

    def stations(self, **parameters: Any) -> Iterator[dict[str, Any]]:
        """The stations that the archive knows, by code: ``stations``, ``country``, ``bbox``, ``q``; or the nearest first:
        ``near=(50.03, 8.57)`` with ``radius_km``."""
        return iter(Walk(self, "stations", {"limit": 1000, **parameters}))

    def coverage(self, stations: Any, from_: Any = None, to: Any = None) -> list[dict[str, Any]]:
        """What the archive holds of stations: their years, and the days that it lacks (``gaps``)."""
        return list(Walk(self, "coverage", {"stations": stations, "from": from_, "to": to}))

    def _get(self, path: str, parameters: dict[str, str], media_type: str) -> requests.Response:
        """A whole response with status 200. Repeats the request while its failure may be temporary."""
        url = f"{self._url}/v1/history/{path}"
        retries = 0
        while True:
            requested: Optional[float] = None
            error: Exception
            try:
                response = self._session.get(
                    url,
                    params=parameters,
                    headers={"Accept": media_type},
                    auth=self._authorize,
                    timeout=TIMEOUT,
                    # The service redirects no request for data, and the key must not go to another host.
                    allow_redirects=False,
                    stream=True,
                )
                # Without it urllib3 1 takes a part of a body for the whole.
                response.raw.enforce_content_length = True
                response.content
                if response.status_code == 200 and _media_type(response) == media_type:
                    return response
                error = _error_of(response)
                requested = retry_after(response.headers.get("Retry-After"))
            except requests.RequestException as cause:
                error = TransportError(f"{url} sent no complete response: {cause!r}")
            status = getattr(error, "status")
            # 504 of the service itself is not temporary: the same query takes as long again.
            passes = status in (None, *TEMPORARY) or (status == 504 and isinstance(error, TransportError))
            if status == 429 and requested is not None:
                if self._on_wait is not None:
                    self._on_wait(requested)
                time.sleep(requested)
                continue
            if not passes or retries == self._max_retries:
                raise error
            # Clients that have failed together do not come back together.
            delay = min(30.0, 0.5 * 2**retries) * (1 + random.random() / 4)
            retries += 1
            time.sleep(max(requested or 0.0, delay))

    def _authorize(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        # A line of .netrc would replace a header that is passed with the call.
        request.headers["Authorization"] = f"Bearer {self._key}"
        return request


class Walk:
    """Iterates over all records of a range, whatever its length, as the service sends them in JSON.

    Each loop begins at ``cursor``. A failure raises: no part of a range is ever returned as the whole.
    """

    def __init__(self, client: Client, path: str, parameters: dict[str, Any]) -> None:
        given = {name: _text(value) for name, value in parameters.items() if value is not None}
        days = [name for name in ("from", "to") if len(given.get(name, "")) == len("2024-01-31")]
        # An endpoint with a time zone gets two days as they are: they are days of that zone.
        if path not in OF_DAYS and (len(days) == 1 or path not in ("statistics", "hourly")):
            for name in days:
                given[name] += "T00:00:00Z"
        self._client = client
        self._path = path
        #: Where another walk resumes this one: the start of the page whose records are being returned. ``None`` at the
        #: start and at the end of the range.
        self.cursor: Optional[str] = given.pop("cursor", None)
        #: ``complete``, ``partial`` or ``none``; ``None`` before the first response.
        self.coverage: Optional[str] = None
        self._is_paged = path in ("observations", "hourly", *OF_DAYS)
        self._limit = given.pop("limit", None)
        self._parameters = given

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for page in self.pages():
            yield from page["data"]

    def pages(self) -> Iterator[dict[str, Any]]:
        """The same records a page at a time. Save ``page["meta"]["nextCursor"]`` with the records of each page to resume
        without repeating one."""
        while True:
            response = self._client._get(self._path, self._with_cursor(PAGE), "application/json")
            page = response.json(parse_int=_whole)
            meta = page["meta"]
            self.coverage = meta.get("coverage", {}).get("status")
            yield page
            # Only now: a caller that stops within the page resumes at its first record.
            self.cursor = meta.get("nextCursor")
            if self.cursor is None:
                return

    def to_pandas(self) -> pandas.DataFrame:
        """All records as one frame. Its types are the same with and without pyarrow."""
        limit = PAGE
        # One text, so that all parts get the same types.
        with tempfile.TemporaryFile() as text:
            while True:
                response = self._client._get(f"{self._path}.csv", self._with_cursor(limit), "text/csv")
                self.coverage = response.headers.get("X-Coverage-Status")
                # The header row is ASCII and has no line break in a value.
                text.write(response.content[0 if text.tell() == 0 else response.content.index(b"\n") + 1 :])
                self.cursor = response.headers.get("X-Next-Cursor")
                if self.cursor is None:
                    break
                # The first part is small: its headers say what the plan allows.
                limit = PAGE if response.headers.get("X-RateLimit-Limit") == "1" else PART
            text.seek(0)
            types = {**dict.fromkeys(TEXTS, str), **dict.fromkeys(TEMPERATURES, float)}
            frame = pandas.read_csv(text, dtype=types, keep_default_na=False, na_values=[""], low_memory=False)
        for name in frame.columns:
            if name in TIMES or name.startswith("time_of_") or name.endswith("_date"):
                frame[name] = pandas.to_datetime(frame[name], utc=True)
            elif name in LISTS:
                frame[name] = [json.loads(value) if isinstance(value, str) else [] for value in frame[name]]
        return frame

    def _with_cursor(self, limit: int) -> dict[str, str]:
        own_limit = str(limit) if self._limit is None and self._is_paged else self._limit
        paging = {"limit": own_limit, "cursor": self.cursor}
        return {**self._parameters, **{name: value for name, value in paging.items() if value is not None}}


def _whole(text: str) -> Any:
    """A whole number of JSON. ``-0`` is a temperature below 0 °C, which ``int`` would turn into 0."""
    return -0.0 if text == "-0" else int(text)


def retry_after(value: Optional[str]) -> Optional[float]:
    """Seconds, or a date (RFC 9110, 10.2.3): the service sends seconds, a proxy may send a date."""
    if value is None:
        return None
    try:
        # int() also reads "1_000" and digits of other scripts.
        is_count = value.isascii() and value.isdigit()
        wait = int(value[:12]) if is_count else parsedate_to_datetime(value).timestamp() - time.time()
    except (TypeError, ValueError, OverflowError):
        return None
    return min(MAX_WAIT, max(0.0, float(wait)))


def _error_of(response: requests.Response) -> Exception:
    if _media_type(response) == "application/problem+json":
        try:
            return ProblemError(response.json())
        except (ValueError, KeyError):
            pass
    kind = _media_type(response) or "no media type"
    message = f"The response is not one of this service: status {response.status_code}, {kind}"
    return TransportError(message, response.status_code)


def _media_type(response: requests.Response) -> str:
    return response.headers.get("Content-Type", "").split(";")[0].strip()


def _text(value: Any) -> str:
    """One value or several as the service reads them. A time needs a zone."""
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError(f"{value!r} has no time zone: write datetime(…, tzinfo=timezone.utc)")
        return value.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    if isinstance(value, (list, tuple, set)):
        return ",".join(map(str, value))
    return str(value)
