# aim: read a frame in a finalizer, which may run while host code is running
# mechanism: __del__ and a generator that is left suspended
# language: check
# reason: a frame leads to the variables of every caller
# jail: process
# plain: loot

class Late:
    def __del__(self):
        running = (x for x in "x")
        loot(running.gi_frame)


Late()
