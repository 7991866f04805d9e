# Brackets, backslashes and comments continue a line.
total = (1 +  # one
         2 +
         3)
text = "a" \
    "b"
if total == 6 and \
        text == "ab":
    print(total, text)
print([
    1,
    2,
], {
    "k":
        "v",
}, ((((5)))), (6,), ())
