# F-strings with conversions, specifications, nesting, debugging and lambdas.
from datetime import date

name, value, width = "pi", 3.14159, 10
print(f"{name!r:>{width}}|{value:.{2}f}|{value = :.1f}|{name=}|{{}}|{'a' if value > 3 else 'b'}")
print(f"{1 + 1} {[n * 2 for n in range(3)]} {(lambda n: n + 1)(4)} {date(2024, 5, 1):%d.%m.%Y} {len(name):03d}")
print(f"{'nested ' + f'{value:.0f}'}" f" joined" " plain", rf"\d{width}", f"{value:>+10.2e}", f"{10**6:_}")
print(f"""multi
{name} line""")
f"{name}={value}"
