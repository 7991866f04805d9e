# Break and continue in finally discard the exception on its way.
for n in range(3):
    try:
        raise ValueError(n)
    finally:
        print("finally", n)
        if n < 2:
            continue
        break


def nested():
    while True:
        try:
            return "inner return"
        finally:
            break
    return "return was discarded"


print(nested())
