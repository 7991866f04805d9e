# The methods of str.
s = "  Hello, World  "
print(s.strip(), s.lstrip() + "|", s.upper().lower().title(), s.strip().swapcase(), "abc".capitalize())
print("a,b,,c".split(","), "a b  c".split(), "a-b-c".rsplit("-", 1), "k=v=w".partition("="), "x\ny".splitlines())
print("-".join(["a", "b"]), "banana".replace("a", "o", 2), "banana".find("na"), "banana".rfind("na"), "ha" * 3)
print("abc".startswith(("x", "a")), "abc".endswith("bc"), "banana".count("an"), "test.py".removesuffix(".py"))
print("7".zfill(3), "a".center(5, "*"), "a".ljust(3) + "|", "a".rjust(3), "tab\tx".expandtabs(4))
print("123".isdigit(), "abc".isalpha(), "a1".isalnum(), " ".isspace(), "Ab".istitle(), "é".isascii(), "x_1".isidentifier())
table = str.maketrans({"a": "1", "b": None})
print("abcab".translate(table), "xyz".translate(str.maketrans("xy", "12", "z")), "ß".casefold(), "abc" in "xabcx")
print(ord("A"), chr(97), "é".encode(), repr("it's"), "a\\b", r"\n", "%s is %d%% %.2f" % ("x", 5, 1.234), "%(k)5s" % {"k": "v"})
try:
    "abc".index("z")
except ValueError as error:
    print(error)
"Unpack {}".format("me")[::2]
