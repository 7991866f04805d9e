"""Use a faster library where it is installed, as many scripts do."""
try:
    import ujson_that_is_not_installed as json
except ImportError:
    import json
try:
    from no_such_package.speedups import fast_sum
except ImportError as error:
    print(error.name)
    fast_sum = sum
try:
    import json.no_such_part
except ModuleNotFoundError as error:
    print(error)
try:
    from math import no_such_function
except ImportError as error:
    print(str(error).split(" (")[0])
print(json.dumps({"total": fast_sum([1, 2, 3])}))
