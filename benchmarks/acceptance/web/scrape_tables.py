import csv
import io
from html.parser import HTMLParser

PAGE = """
<table id="prices"><tr><th>Item</th><th>Price</th></tr>
<tr><td>Tea</td><td>2.50 &euro;</td></tr>
<tr><td>Coffee <b>XL</b></td><td>3.75 &euro;</td></tr></table>
<table><tr><td>other</td></tr></table>
"""


class Tables(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.tables, self.cell = [], None

    def handle_starttag(self, tag, attrs):
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.cell = []

    def handle_data(self, data):
        if self.cell is not None:
            self.cell.append(data.strip())

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.tables[-1][-1].append(" ".join(filter(None, self.cell)))
            self.cell = None


parser = Tables()
parser.feed(PAGE)
print(len(parser.tables), parser.tables[0])
out = io.StringIO()
csv.writer(out).writerows(parser.tables[0])
print(repr(out.getvalue()))
header, *rows = parser.tables[0]
prices = {name: float(price.split()[0]) for name, price in rows}
print(prices, sum(prices.values()))
