# Large values are printed over several lines in sorted order.
from pprint import PrettyPrinter, isreadable, pformat, pp, pprint

data = {"zeta": list(range(12)), "alpha": {"nested": ("x" * 20, "y" * 30)}, "beta": {3, 1, 2}}
pprint(data, width=40)
print(pformat([1, [2, [3, [4]]]], depth=2), isreadable(data))
pp({"b": 1, "a": 2})
pprint({"b": 1, "a": 2}, sort_dicts=False, indent=4)
PrettyPrinter(compact=True, width=20).pformat(list(range(10)))
