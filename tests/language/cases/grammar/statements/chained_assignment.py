# Targets of a chained assignment are bound from left to right and share one object.
order = []


class Recorder:
    def __setitem__(self, key, value):
        order.append((key, value))


box = Recorder()
box["first"] = box["second"] = shared = [1]
a = b = shared
a.append(2)
print(order)
print(b, a is b is shared)
