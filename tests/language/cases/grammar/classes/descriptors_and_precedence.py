# Data descriptors win over instance attributes, which win over other descriptors.
class Data:
    def __get__(self, instance, owner=None): return "data descriptor"
    def __set__(self, instance, value): print("set intercepted", value)
    def __delete__(self, instance): print("delete intercepted")


class NonData:
    def __get__(self, instance, owner=None): return "non-data descriptor"


class Host:
    data = Data()
    plain = NonData()


h = Host()
h.data = 1
h.plain = 2
print(h.data, h.plain, Host.plain)
del h.data
del h.plain
print(h.plain)
