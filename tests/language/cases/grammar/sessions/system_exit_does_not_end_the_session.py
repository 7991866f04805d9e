# After a cell raised SystemExit or KeyboardInterrupt the next one runs.
x = 1
raise SystemExit("bye")
# ---
x += 1
raise KeyboardInterrupt
# ---
print(x)
