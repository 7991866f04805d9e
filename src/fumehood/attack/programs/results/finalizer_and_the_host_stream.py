# aim: read the host's standard output in a finalizer that runs after the session
# mechanism: a library object of the cell keeps sys.stdout, and the finalizer asks it again later
# language: run
# reason: the stream that libraries find while a cell runs leads nowhere afterwards either
# jail: wire
# plain: loot

import pprint

kept = pprint.PrettyPrinter()._stream


class Late:
    def __init__(self, take):
        self.take = take

    def __del__(self):
        self.take(kept.buffer)


late = Late(loot)
