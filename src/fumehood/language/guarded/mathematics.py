"""Mathematics that code may use without importing it, once tools were sent."""

from __future__ import annotations

import math
from typing import Any

MATHEMATICS: dict[str, Any] = {
    name: getattr(math, name)
    for name in (
        "acos asin atan atan2 ceil comb cos degrees e exp factorial floor gcd hypot isclose"
        " isfinite isinf isnan lcm log log10 log2 perm pi prod radians sin sqrt tan trunc"
    ).split()
}
