"""Requests of the service as Python calls."""

from __future__ import annotations

from datetime import date, datetime, timezone
from typing import Any, Callable, Iterator, Optional, Sequence, Union
from urllib.parse import urlencode

from .statistics import Statistics
from .transport import Response, send
from .walk import Walk

#: A time with a zone, a day (its begin in UTC), or text in RFC 3339 or such as ``2024-01-31``.
Time = Union[str, date, datetime]
#: One value or several, such as ``"KJFK"`` or ``["KJFK", "EGLL"]``.
Values = Union[str, Sequence[str]]

#: Outages that a request outlasts: seven delays add up to about a minute.
MAX_RETRIES = 7

JSON = "application/json"


class Client:
    """The service at ``url``, asked with an API key.

    ``max_retries``: how often in a row a request is repeated after 502, 503 or a failed connection. The limit of the plan
    (429) is waited out as often as the service asks for it; ``on_wait`` is called with the seconds before each such wait.
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

    def observations(
        self,
        stations: Values,
        from_: Time,
        to: Time,
        *,
        type: Optional[str] = None,
        include: Optional[Values] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        **parameters: Any,
    ) -> Walk:
        """The reports of stations from ``from_`` to before ``to``, in the order of time, station and type.

        ``type``: ``all`` (default), ``metar`` or ``speci``. ``include``: ``raw`` (default), ``decoded`` or both.
        ``limit``: records of one request, 10,000 by default. ``cursor``: where an earlier walk with the same filters
        stopped. Further parameters of the endpoint can be given by their names. Nothing is sent before the first record.
        """
        filters = {
            "stations": _text(stations),
            "from": _time(from_),
            "to": _time(to),
            "type": type,
            "include": None if include is None else _text(include),
            **{name: _value(value) for name, value in parameters.items()},
        }
        return Walk(self._get, "/v1/history/observations", _given(filters), limit, cursor)

    def hourly(
        self,
        stations: Values,
        from_: Time,
        to: Time,
        *,
        fields: Optional[Values] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        **parameters: Any,
    ) -> Walk:
        """One row for each station and nominal hour, also where nothing was reported, from the first METAR of the hour.

        ``fields``: decoded and derived fields such as ``["temp_c", "ceiling_ft"]``. ``limit`` and ``cursor`` as in
        ``observations``. Further parameters, such as ``filter``, can be given by their names.
        """
        filters = {
            "stations": _text(stations),
            "from": _time(from_),
            "to": _time(to),
            "fields": None if fields is None else _text(fields),
            **{name: _value(value) for name, value in parameters.items()},
        }
        return Walk(self._get, "/v1/history/hourly", _given(filters), limit, cursor)

    def statistics(
        self,
        stations: Values,
        from_: Time,
        to: Time,
        select: Optional[Values] = None,
        by: Optional[Values] = None,
        **parameters: Any,
    ) -> Statistics:
        """A question about the archive, answered by the service.

        ``select``: expressions such as ``mean(temp_c)`` or ``ifr:share(fltcat = 'IFR')``. ``by``: groups such as ``month``.
        Further parameters, such as ``preset``, ``sample``, ``tz`` and ``filter``, can be given by their names.
        """
        question = {
            "stations": _text(stations),
            "from": _time(from_),
            "to": _time(to),
            "select": _value(select),
            "by": _value(by),
            **{name: _value(value) for name, value in parameters.items()},
        }
        return Statistics(self._get, _given(question))

    def stations(self, **filters: Any) -> Iterator[dict[str, Any]]:
        """The stations that the archive knows, by code: ``stations``, ``country``, ``bbox``, ``q``; or the nearest first:
        ``near=(50.03, 8.57)`` with ``radius_km``."""
        parameters = _given({"limit": "1000", **{name: _value(value) for name, value in filters.items()}})
        while True:
            page = self._get("/v1/history/stations", parameters, JSON).json()
            yield from page["data"]
            if not page["meta"]["hasMore"]:
                return
            parameters["cursor"] = page["meta"]["nextCursor"]

    def coverage(
        self, stations: Values, from_: Optional[Time] = None, to: Optional[Time] = None
    ) -> list[dict[str, Any]]:
        """What the archive holds of stations: their years, and the days that it lacks (``gaps``)."""
        parameters = {
            "stations": _text(stations),
            "from": None if from_ is None else _time(from_),
            "to": None if to is None else _time(to),
        }
        data: list[dict[str, Any]] = self._get("/v1/history/coverage", _given(parameters), JSON).json()["data"]
        return data

    def _get(self, path: str, parameters: dict[str, str], accept: str) -> Response:
        url = f"{self._url}{path}?{urlencode(parameters)}"
        return send(url, self._key, accept, self._max_retries, self._on_wait)


def _given(parameters: dict[str, Optional[str]]) -> dict[str, str]:
    return {name: value for name, value in parameters.items() if value is not None}


def _text(values: Values) -> str:
    return values if isinstance(values, str) else ",".join(values)


def _value(value: Any) -> Optional[str]:
    if value is None:
        return None
    if isinstance(value, (date, datetime)):
        return _time(value)
    if isinstance(value, (list, tuple, set)):
        return ",".join(str(each) for each in value)
    return str(value)


def _time(value: Time) -> str:
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError(f"{value!r} has no time zone: write datetime(…, tzinfo=timezone.utc)")
        return value.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    if isinstance(value, date):
        return f"{value.isoformat()}T00:00:00Z"
    return f"{value}T00:00:00Z" if len(value) == len("2024-01-31") else value
