seed = 0
from functools import cache

@cache
def ways(amount, coins):
    if amount == 0:
        return 1
    return sum(ways(amount - c, coins[i:]) for i, c in enumerate(coins) if c <= amount)

(ways(120 + seed % 30, (1, 5, 10, 20, 50)), ways.cache_info().misses)
