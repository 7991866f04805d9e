import sys
import threading

forever = threading.Event()
daemon = threading.Thread(target=forever.wait, daemon=True)
daemon.start()
depths = []


def depth(n):
    return 0 if n == 0 else 1 + depth(n - 1)


def deep():
    sys.setrecursionlimit(5000)
    depths.append(depth(3000))


threading.stack_size(64 * 1024 * 1024)
thread = threading.Thread(target=deep)
thread.start()
thread.join()
print(depths, daemon.daemon, daemon.is_alive())
