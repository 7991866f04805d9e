import re

text = "The quick brown fox (aged 3) emailed fox@example.org and dog@example.com on 2024-02-29."
print(re.findall(r"[\w.]+@[\w.]+\.\w+", text))
print(re.sub(r"(\d{4})-(\d\d)-(\d\d)", r"\3.\2.\1", text)[-11:])
print(re.sub(r"\b(\w)(\w*)\b", lambda m: m[1].upper() + m[2], "make title case"))
print(re.split(r"[,;]\s*", "a, b;c,d"), re.split(r"(\d)", "a1b2c"))
print([m.span() for m in re.finditer(r"o(?=x)", text)], re.search(r"(?<=aged )\d", text)[0])
print(re.fullmatch(r"(a|b)+", "abba").groups(), re.match("x", "y"))
print(re.escape("1+1=2?"), re.compile("(?i)FOX").search(text).start())
print(re.sub(r"(?P<word>\w+) (?P=word)", r"\g<word>", "the the cat sat sat"))
print(re.findall(r"^\w+", "one two\nthree four", re.MULTILINE), bool(re.search(r"a.c", "a\nc", re.DOTALL)))
try:
    re.compile("(unclosed")
except re.error as error:
    print(error, error.pos)
