# aim: overflow the C stack, in a thread whose stack is smaller than the interpreter thinks
# mechanism: a large recursion limit in a thread with a small stack
# language: check
# reason: the policy does not authorize threading
# jail: init
# plain: crashes
# expect: fault crash | fault killed
import threading

sys.setrecursionlimit(10**6)
threading.stack_size(64 << 10)

def fall(thing):
    return [*map(fall, [thing])]

thread = threading.Thread(target=fall, args=(0,))
thread.start()
thread.join()
