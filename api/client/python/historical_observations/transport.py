"""One request: sent again while its failure can pass, and returned only once its response is whole."""

from __future__ import annotations

import gzip
import http.client
import json
import random
import time
import urllib.error
import urllib.request
import zlib
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import Any, Callable, Optional, Union

from .errors import ProblemError, TransportError

#: Seconds without a byte. Longer than the time limits of the service for a request.
TIMEOUT = 120.0
FIRST_DELAY = 0.5
MAX_DELAY = 30.0

#: Statuses of a service, or of a proxy before it, that can serve the same request later.
TEMPORARY = (429, 502, 503)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """The service redirects no request for data, and the key must not go to another host."""

    def redirect_request(self, *_: Any) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirect)


class Response:
    """A whole response with status 200."""

    def __init__(self, body: bytes, headers: Message) -> None:
        self.body = body
        self.headers = headers

    def json(self) -> Any:
        return json.loads(self.body)


def send(
    url: str,
    key: str,
    accept: str,
    max_retries: int,
    on_wait: Optional[Callable[[float], None]] = None,
) -> Response:
    """Sends a request. At the limit of the plan it waits as often as the service asks for it; other failures that can
    pass are repeated ``max_retries`` times in a row, with longer and longer delays."""
    retries = 0
    while True:
        try:
            return _send_once(url, key, accept)
        except (ProblemError, TransportError) as error:
            if not _is_temporary(error):
                raise
            requested = error.retry_after or 0.0
            if error.status == 429 and error.retry_after is not None:
                if on_wait is not None:
                    on_wait(requested)
                time.sleep(requested)
                continue
            if retries == max_retries:
                raise
            # Clients that have failed together do not come back together.
            delay = min(MAX_DELAY, FIRST_DELAY * 2**retries) * (1 + random.random() / 4)
            retries += 1
            time.sleep(max(requested, delay))


def _send_once(url: str, key: str, accept: str) -> Response:
    request = urllib.request.Request(
        url,
        headers={"Authorization": f"Bearer {key}", "Accept": accept, "Accept-Encoding": "gzip"},
    )
    try:
        with _opener.open(request, timeout=TIMEOUT) as response:
            body = _read(response)
            if _media_type(response.headers) not in accept.split(", "):
                raise _not_of_service(response.status, response.headers)
            return Response(body, response.headers)
    except urllib.error.HTTPError as error:
        raise _error_of(url, error) from None
    except (OSError, EOFError, http.client.HTTPException, zlib.error) as error:
        raise TransportError(f"{url.split('?')[0]} sent no complete response: {error!r}") from error


def _read(response: Union[http.client.HTTPResponse, urllib.error.HTTPError]) -> bytes:
    # http.client returns a part of a body in silence where the length was announced and `read` has an argument.
    body = response.read()
    return gzip.decompress(body) if response.headers.get("Content-Encoding") == "gzip" else body


def _error_of(url: str, error: urllib.error.HTTPError) -> Union[ProblemError, TransportError]:
    retry_after = parse_retry_after(error.headers.get("Retry-After"))
    if _media_type(error.headers) == "application/problem+json":
        try:
            return ProblemError(json.loads(_read(error)), url, retry_after)
        except (ValueError, KeyError, OSError, EOFError, http.client.HTTPException, zlib.error):
            pass
    return _not_of_service(error.code, error.headers)


def _not_of_service(status: int, headers: Message) -> TransportError:
    return TransportError(
        f"The response is not one of this service: status {status}, {_media_type(headers) or 'no media type'}",
        status,
        parse_retry_after(headers.get("Retry-After")),
    )


def _media_type(headers: Message) -> str:
    return headers.get("Content-Type", "").split(";")[0].strip()


def parse_retry_after(value: Optional[str]) -> Optional[float]:
    """Seconds, or a date (RFC 9110, 10.2.3): the service sends seconds, a proxy may send a date."""
    if value is None:
        return None
    if value.isdigit():
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def _is_temporary(error: Union[ProblemError, TransportError]) -> bool:
    # 504 of the service itself is not temporary: the same query takes as long again.
    if isinstance(error, ProblemError):
        return error.status in TEMPORARY
    return error.status is None or error.status == 504 or error.status in TEMPORARY
