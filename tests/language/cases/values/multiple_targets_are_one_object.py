# An assignment evaluates its right side once, also as the last statement.
calls = []


def make():
    calls.append("made")
    return {}


# ---
a = b = make()
# ---
len(calls), a is b
