# aim: learn whether a sandbox of another key exists
# mechanism: every route with its id and with an id that never was: an answer that differs
# server: tenancy
# plain: owner

never = "a" * len(theirs.sandbox)
routes = [("GET", ""), ("DELETE", "/contexts/x"), ("POST", "/run"), ("GET", "/variables/x"), ("GET", "/files"), ("POST", "/pause"), ("GET", "/calls"), ("POST", "/calls/x")]


def shown(method, path):
    answer = ask(method, path)
    names = sorted(line.partition(b":")[0] for line in answer.head.splitlines()[1:])
    return answer.status, names, answer.body.replace(theirs.sandbox.encode(), b"").replace(never.encode(), b"")


def attack():
    for method, path in routes:
        for prefix in ("/v1/sandboxes/", "/sandboxes/"):
            there_is, never_was = shown(method, f"{prefix}{theirs.sandbox}{path}"), shown(method, f"{prefix}{never}{path}")
            if there_is != never_was:
                return f"{method} {prefix}ID{path}: {there_is[0]} and {never_was[0]}"


judge(attack)
