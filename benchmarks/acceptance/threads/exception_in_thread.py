import threading


def fail():
    raise RuntimeError("inside the thread")


seen = []
threading.excepthook = lambda args: seen.append((args.exc_type.__name__, str(args.exc_value), args.thread.name))
thread = threading.Thread(target=fail, name="failing")
thread.start()
thread.join()
print(seen, thread.is_alive())
threading.excepthook = threading.__excepthook__


class Careful(threading.Thread):
    """Keeps its exception for whoever joins it."""

    def __init__(self, function):
        super().__init__()
        self.function, self.error = function, None

    def run(self):
        try:
            self.function()
        except Exception as error:
            self.error = error

    def join(self, timeout=None):
        super().join(timeout)
        if self.error:
            raise self.error


careful = Careful(fail)
careful.start()
try:
    careful.join()
except RuntimeError as error:
    print("joined:", error)
