# A class answers for missing attributes with __getattr__, __setattr__ and __delattr__.
class Record:
    def __init__(self, **fields):
        super().__setattr__("_fields", fields)

    def __getattr__(self, name):
        try:
            return self._fields[name]
        except KeyError:
            raise AttributeError(f"no field {name}") from None

    def __setattr__(self, name, value):
        print("set", name)
        self._fields[name] = value

    def __delattr__(self, name):
        print("delete", name)
        del self._fields[name]


record = Record(a=1)
record.b = record.a + 1
setattr(record, "c", 3)
del record.a
print(getattr(record, "b"), hasattr(record, "a"), getattr(record, "zz", None))
record.missing
