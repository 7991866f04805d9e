# Dictionaries keep their order and have views, defaults, merges and deletions.
d = dict(one=1, two=2)
d["three"] = 3
print(d, list(d), d.get("four"), d.get("four", 4), d.setdefault("five", 5), d.pop("one"), d.pop("one", None))
print(d.items(), d.keys() & {"two", "x"}, list(d.values()), d.popitem(), "two" in d)
print(d | {"two": 22}, {**d, "six": 6}, dict([("a", 1)], b=2), dict.fromkeys("ab", 0), list(reversed(d)))
d |= {"seven": 7}
d.update(eight=8)
keys = d.keys()
d["late"] = 0
print(keys, len(d), {v: k for k, v in d.items()}, d == dict(reversed(d.items())))
try:
    for key in d:
        d[key + "!"] = 1
except RuntimeError as error:
    print(error)
try:
    d["missing"]
except KeyError as error:
    print(error, error.args)
d.clear()
d
