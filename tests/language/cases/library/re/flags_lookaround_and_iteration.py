# Flags, look-around, lazy matches, conditionals and pattern methods.
import re
from re import IGNORECASE, compile as pattern

print(re.findall(r"(?<=\$)\d+(?:\.\d\d)?", "$5 and $12.50"), re.findall(r"\b\w+(?=ing\b)", "running singing run"))
print(re.findall(r"<.+?>", "<a><b>"), re.findall(r"<.+>", "<a><b>"), re.search(r"(?i)HELLO", "hello").group())
dotted = pattern(r"a.c", re.DOTALL | IGNORECASE)
print(dotted.findall("A\nC abc"), dotted.sub("-", "a\nc"), dotted.split("1abc2"), dotted.match("xabc", 1).span())
print(re.sub(r"(?P<first>\w)(?P<rest>\w*)", lambda m: m["first"].upper() + m.group("rest"), "one two"))
print(re.fullmatch(r"(\()?\d+(?(1)\))", "(5)") is not None, re.fullmatch(r"(\()?\d+(?(1)\))", "(5") is not None)
print(pattern("x") == pattern("x"), re.search("b", "abc").start(), re.findall("", "ab"), re.match(r"(a)(b)?", "a").groups("none"))
repr(re.compile("a+", re.I)), re.match("a", "abc")
