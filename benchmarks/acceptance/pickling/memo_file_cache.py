import functools
import hashlib
import pickle
from pathlib import Path

CACHE = Path(".cache")
CACHE.mkdir(exist_ok=True)


def disk_cache(function):
    """Keep results in files, by the hash of the arguments."""

    @functools.wraps(function)
    def wrapper(*args):
        key = hashlib.sha1(pickle.dumps((function.__name__, args))).hexdigest()
        path = CACHE / f"{key}.pkl"
        if path.exists():
            return pickle.loads(path.read_bytes())
        result = function(*args)
        path.write_bytes(pickle.dumps(result))
        return result

    return wrapper


@disk_cache
def factor(number):
    print("factoring", number)
    factors, divisor = [], 2
    while number > 1:
        while number % divisor == 0:
            factors.append(divisor)
            number //= divisor
        divisor += 1
    return factors


print(factor(360), factor(97), factor(360), len(list(CACHE.glob("*.pkl"))))
