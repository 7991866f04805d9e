# Code may raise KeyboardInterrupt itself.
for n in range(5):
    print(n)
    if n == 1:
        raise KeyboardInterrupt("stopped by code")
