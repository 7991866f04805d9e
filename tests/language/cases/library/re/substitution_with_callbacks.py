# Substitution with a function, back references, counts and subn.
import re


def doubled(match):
    return str(int(match.group(0)) * 2)


print(re.sub(r"\d+", doubled, "1 apple and 20 pears"))
print(re.sub(r"(\w+) (\w+)", r"\2 \1", "hello world"), re.sub(r"(?P<a>x)", r"<\g<a>>", "xyx"))
print(re.subn("a", "b", "banana", count=2))
table = {"red": "rouge", "blue": "bleu"}
print(re.sub(r"\b(red|blue)\b", lambda m: table[m[1]], "red, blue and reddish"))


def camel(name):
    return re.sub(r"_([a-z])", lambda m: m.group(1).upper(), name)


def snake(name):
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


print(camel("some_long_name"), snake("someLongName"))
re.sub(r"\s+", " ", "  many   spaces ").strip()
