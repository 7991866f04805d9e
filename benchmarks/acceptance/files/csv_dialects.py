import csv
import io

samples = {
    "semicolon": "name;score\nAnn;1,5\nBob;2,5\n",
    "tab": "name\tscore\nAnn\t1\n",
    "quoted": '"name","note"\n"Ann","says ""hi"""\n',
}
for name, text in samples.items():
    dialect = csv.Sniffer().sniff(text, delimiters=";,\t")
    rows = list(csv.reader(io.StringIO(text), dialect))
    print(name, repr(dialect.delimiter), rows)


class Pipes(csv.Dialect):
    delimiter = "|"
    quotechar = "'"
    doublequote = True
    lineterminator = "\n"
    quoting = csv.QUOTE_MINIMAL


csv.register_dialect("pipes", Pipes)
with open("out.psv", "w") as file:
    csv.writer(file, "pipes").writerows([["a", 1], ["b|c", None], ["d'e", 2.5]])
print(open("out.psv").read(), end="")
print(list(csv.reader(open("out.psv"), dialect="pipes")))
