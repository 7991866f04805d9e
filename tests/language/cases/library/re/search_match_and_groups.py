# Searching, matching, named groups, findall, finditer and split.
import re

text = "Order 66 shipped 2024-05-17, order 7 shipped 2023-12-01."
print(re.findall(r"\d{4}-\d{2}-\d{2}", text))
match = re.search(r"(?P<year>\d{4})-(?P<month>\d\d)", text)
print(match.group(), match.group("year", "month"), match.groupdict(), match.span(), match["year"])
print([(m.start(), m[1]) for m in re.finditer(r"order (\d+)", text, re.IGNORECASE)])
print(re.split(r"[,.]\s*", text), re.split(r"(-)", "a-b-c", maxsplit=1))
print(re.match(r"\d", "a1"), re.fullmatch(r"\w+", "abc").string, bool(re.match("a", "abc")))
words = re.compile(
    r"""
    \b [A-Z]      # a capital
    [a-z]* \b     # and the rest
    """,
    re.VERBOSE,
)
print(words.findall("The Cat sat on Mat"), words.groups, words.flags & re.X == re.X)
print(re.findall(r"(\w)(\d)", "a1 b2"), re.escape("a.b*c"))
print(match.expand(r"\2/\1"), match.lastgroup, match.re.pattern)
re.findall(r"^\w", "one\ntwo", flags=re.M)
