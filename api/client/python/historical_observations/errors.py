"""What can fail."""

from __future__ import annotations

from typing import Any, Optional
from urllib.parse import urljoin


class ProblemError(Exception):
    """The service refused the request, and says why (RFC 9457)."""

    def __init__(self, problem: dict[str, Any], url: str, retry_after: Optional[float] = None) -> None:
        self.type: str = urljoin(url, problem.get("type", ""))
        self.title: str = problem.get("title", "")
        self.status: int = problem["status"]
        self.detail: str = problem.get("detail", "")
        #: Never changes its meaning, such as ``invalid_credentials``.
        self.code: str = problem["code"]
        #: Quote it when you report an error.
        self.request_id: str = problem.get("requestId", "")
        #: Each wrong parameter, with what to write instead.
        self.errors: list[dict[str, str]] = problem.get("errors", [])
        self.retry_after = retry_after
        lines = [f"{each['parameter']}: {each['detail']}" for each in self.errors]
        super().__init__("\n".join([f"{self.status} {self.code}: {self.detail}", *lines]))


class TransportError(Exception):
    """There is no response of the service: the connection failed, or a program between client and service responded."""

    def __init__(
        self, message: str, status: Optional[int] = None, retry_after: Optional[float] = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.retry_after = retry_after
