# Read a frame in a finalizer, which may run while host code is running.
# mechanism: __del__ and a generator that is left suspended
# stopped by: check
# reason: a frame leads to the variables of every caller

class Late:
    def __del__(self):
        running = (x for x in "x")
        loot(running.gi_frame)


Late()
