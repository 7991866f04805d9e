# Roman numerals both ways, with a check of every number.
NUMERALS = {
    "M": 1000, "CM": 900, "D": 500, "CD": 400, "C": 100, "XC": 90,
    "L": 50, "XL": 40, "X": 10, "IX": 9, "V": 5, "IV": 4, "I": 1,
}  # fmt: skip


def to_roman(number: int) -> str:
    if not 0 < number < 4000:
        raise ValueError(f"{number} has no Roman numeral")
    result = ""
    for symbol, value in NUMERALS.items():
        count, number = divmod(number, value)
        result += symbol * count
    return result


def from_roman(text: str) -> int:
    total = previous = 0
    for letter in reversed(text.upper()):
        value = NUMERALS[letter]
        total += -value if value < previous else value
        previous = max(previous, value)
    if to_roman(total) != text.upper():
        raise ValueError(f"{text!r} is not a Roman numeral")
    return total


print([to_roman(n) for n in (1, 4, 9, 14, 40, 90, 400, 1994, 2024, 3999)])
print([from_roman(text) for text in ("mmxxiv", "XLII", "iv")])
for bad in (lambda: to_roman(0), lambda: from_roman("IIII"), lambda: from_roman("ABC")):
    try:
        bad()
    except (ValueError, KeyError) as error:
        print(type(error).__name__, error)
all(from_roman(to_roman(n)) == n for n in range(1, 4000))
