# A program's own attributes may be called format, obj, query, dump, eval or evaluate.
class Document:
    def __init__(self, obj):
        self.obj = obj
        self.format = "pdf"
        self.ctypes = ["a"]

    def query(self, text, *, limit=1):
        return [text] * limit

    def dump(self):
        return f"dump of {self.obj}"

    def eval(self, x):
        return x + 1

    def evaluate(self):
        return self.eval(self.obj)

    def format_map(self, mapping):
        return sorted(mapping)

    def to_csv(self, separator=","):
        return separator.join(map(str, [self.obj, self.format]))


d = Document(41)
d.format = d.format.upper()
print(d.obj, d.format, d.ctypes, d.query("q", limit=2), d.dump(), d.eval(1), d.evaluate(), d.format_map({"k": 1}), d.to_csv(";"))
del d.format
hasattr(d, "format"), d.query.__name__, [x.obj for x in (d,)]
