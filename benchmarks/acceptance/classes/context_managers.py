import contextlib
import io


class Transaction:
    def __init__(self, store):
        self.store = store

    def __enter__(self):
        self.backup = dict(self.store)
        return self.store

    def __exit__(self, kind, error, trace):
        if kind is not None:
            self.store.clear()
            self.store.update(self.backup)
        return kind is ValueError


store = {"a": 1}
with Transaction(store) as s:
    s["b"] = 2
with Transaction(store) as s:
    s["c"] = 3
    raise ValueError("undone silently")
print(store)
with contextlib.suppress(KeyError):
    store["zzz"]
with contextlib.redirect_stdout(io.StringIO()) as out:
    print("captured")
print(repr(out.getvalue()))
with contextlib.ExitStack() as stack:
    for name in "xyz":
        stack.callback(print, "closing", name)
    stack.enter_context(contextlib.closing(io.BytesIO(b"")))


@contextlib.contextmanager
def tag(name):
    print(f"<{name}>")
    yield
    print(f"</{name}>")


@tag("p")
def text():
    print("inside")


text()
with Transaction(store):
    raise KeyError("escapes")
