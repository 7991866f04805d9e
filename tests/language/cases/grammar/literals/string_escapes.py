# Every escape of a string literal.
print("\x41\u00e9\U0001F600\N{GREEK SMALL LETTER ALPHA}\101\60")
print(repr("\a\b\f\n\r\t\v\\\'\"\0"))
print("line one \
continues")
print(b"\x41\101\n\\", len("\N{SNOWMAN}"), ascii("é\u2028"), repr("\x7f\xa0\ud800"))
