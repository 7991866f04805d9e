# Fields are evaluated from left to right, the value before its format.
def t(label, value):
    print("asked", label)
    return value


print(f"{t('value', 5):{t('width', 4)}}{t('second', 'x')}")
print(f"{(n := 6)} {n:>3} {n!r:{n}}|")
print(f"{(yes := True) and 'assigned'} {yes}")
