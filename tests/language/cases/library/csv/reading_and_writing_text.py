# Rows are read from and written to text streams, with dialects and dictionaries.
import csv
import io

source = io.StringIO('name,price,note\npen,1.5,"blue, thin"\ncup,3,"says ""hi"""\n')
rows = list(csv.DictReader(source))
print(rows[0]["note"], rows[1]["note"], sum(float(row["price"]) for row in rows))
out = io.StringIO()
writer = csv.DictWriter(out, fieldnames=["name", "price"], extrasaction="ignore", lineterminator="\n")
writer.writeheader()
writer.writerows(rows)
print(out.getvalue())
print(list(csv.reader(["a;b;'c;d'"], delimiter=";", quotechar="'")))
plain = io.StringIO()
csv.writer(plain, quoting=csv.QUOTE_NONNUMERIC).writerow(["x", 1, None, 'q"q'])
print(repr(plain.getvalue()))
try:
    csv.DictWriter(io.StringIO(), ["a"]).writerow({"b": 1})
except ValueError as error:
    print(error)
next(csv.reader(["h1\th2"], "excel-tab"))
