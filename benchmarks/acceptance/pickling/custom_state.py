import copy
import pickle
import copyreg


class Connection:
    def __init__(self, host):
        self.host = host
        self.socket = lambda: "open"

    def __getstate__(self):
        state = self.__dict__.copy()
        del state["socket"]
        return state

    def __setstate__(self, state):
        self.__dict__.update(state)
        self.socket = lambda: "reopened"


class Money:
    def __init__(self, cents):
        self.cents = cents

    def __reduce__(self):
        return Money, (self.cents,)


class Legacy:
    def __init__(self, x):
        self.x = x


copyreg.pickle(Legacy, lambda legacy: (Legacy, (legacy.x * 10,)))
again = pickle.loads(pickle.dumps(Connection("db")))
print(again.host, again.socket())
print(pickle.loads(pickle.dumps(Money(250))).cents, copy.copy(Money(3)).cents, pickle.loads(pickle.dumps(Legacy(1))).x)
try:
    pickle.dumps(lambda: 1)
except (pickle.PicklingError, AttributeError) as error:
    print("cannot pickle a lambda", type(error).__name__)
try:
    pickle.dumps((n for n in ()))
except TypeError as error:
    print(error)
