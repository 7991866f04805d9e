# aim: start threads without end
# mechanism: threads with small stacks that wait for an event
# language: check
# reason: the policy does not authorize threading
# jail: rlimits
# plain: succeeds
# expect: held | error RuntimeError | error MemoryError
import threading

def multiply():
    threading.stack_size(64 << 10)
    go = threading.Event()
    threads = []
    try:
        for _ in range(300):
            thread = threading.Thread(target=go.wait, args=(8,), daemon=True)
            thread.start()
            threads.append(thread)
    except (RuntimeError, MemoryError):
        pass
    finally:
        go.set()
        for thread in threads:
            thread.join()
    return f"{len(threads)} threads" if len(threads) >= 300 else None

judge(multiply)
