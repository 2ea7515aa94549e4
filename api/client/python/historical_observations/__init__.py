"""Client of the historical observations service.

>>> client = Client("http://127.0.0.1:8080", os.environ["KEY"])
>>> frame = client.observations("XAAA", "2024-01-01", "2025-01-01", include=["raw", "decoded"]).to_pandas()
"""

from .client import Client
from .errors import ProblemError, TransportError
from .statistics import Statistics
from .walk import Walk

__all__ = ["Client", "ProblemError", "Statistics", "TransportError", "Walk"]
