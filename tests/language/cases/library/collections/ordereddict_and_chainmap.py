# OrderedDict moves keys to an end and ChainMap searches several dictionaries.
from collections import ChainMap, OrderedDict

order = OrderedDict.fromkeys("abc", 0)
order.move_to_end("a")
order.move_to_end("c", last=False)
print(list(order), order.popitem(last=False))
print(OrderedDict(a=1, b=2) == OrderedDict(b=2, a=1), dict(a=1, b=2) == dict(b=2, a=1))

defaults = {"color": "red", "size": 1}
user = {"size": 5}
settings = ChainMap(user, defaults)
print(settings["size"], settings["color"], sorted(settings))
settings["color"] = "blue"
print(user, defaults)
child = settings.new_child({"size": 9})
print(child["size"], child.parents["size"], len(child.maps))
dict(child)
