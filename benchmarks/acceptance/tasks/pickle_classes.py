import pickle, copy, shelve, dataclasses, enum, collections, functools
class Color(enum.Enum): RED = 1
@dataclasses.dataclass(order=True)
class P: x: int; c: Color = Color.RED
NT = collections.namedtuple("NT", "a b")
class Node:
    def __init__(self, v): self.v = v; self.next = None
    def __getstate__(self): return {"v": self.v}
    def __setstate__(self, s): self.v = s["v"]; self.next = "restored"
with open("o.pkl", "wb") as f: pickle.dump([P(1), NT(1, 2), Node(5), Color.RED, functools.partial(int, base=2), len], f)
a = pickle.load(open("o.pkl", "rb")); print(a[0], a[1], a[2].v, a[2].next, a[3] is Color.RED, a[4]("11"), a[5])
try: pickle.dumps(lambda: 0)
except Exception as e: print(type(e).__name__)
with shelve.open("db") as s: s["k"] = P(2)
with shelve.open("db") as s: print(dict(s))
print(copy.deepcopy(P(3)) == P(3), P.__module__, Node.__qualname__, pickle.dumps(P(1), 0)[:14])
