from collections import ChainMap, Counter, OrderedDict, defaultdict, deque, namedtuple

counts = Counter("mississippi")
print(counts.most_common(2), counts - Counter("miss"), counts & Counter("sip"), counts.total(), sorted(counts.elements())[:3])
graph = defaultdict(lambda: defaultdict(int))
graph["a"]["b"] += 5
print({key: dict(value) for key, value in graph.items()}, graph["x"]["y"])
settings = ChainMap({"debug": True}, {"debug": False, "port": 80})
settings["new"] = 1
print(settings["debug"], settings["port"], settings.maps[0], dict(settings.new_child({"port": 1})))
window = deque(maxlen=3)
for number in range(5):
    window.append(number)
window.rotate(1)
print(window, window.popleft(), window)
ordered = OrderedDict.fromkeys("cab")
ordered.move_to_end("c")
print(list(ordered), ordered.popitem(last=False))
Card = namedtuple("Card", ["rank", "suit"], defaults=["spades"])
print(Card("A"), Card("2", "hearts")._asdict(), Card._fields, max(Card("3"), Card("2")))
