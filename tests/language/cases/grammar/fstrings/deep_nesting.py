# Since 3.12 f-strings nest without limit, also inside format specifications.
# python: 3.12+
depth = 2
print(f"{f"{f"{f"{f"{f"{depth}"}"}"}"}"}")
print(f"{3.14159:{f"{depth}.{depth}"}f}")
print(f"{"x":{f"{"*"}^{depth + 3}"}}")
print(f"{[f"{n}{"!" * n}" for n in range(3)]}")
print(f"{(lambda x: x * 2)(4)}")
