from html.parser import HTMLParser
from urllib.parse import urljoin


class Links(HTMLParser):
    def __init__(self, base):
        super().__init__()
        self.base, self.links, self.text, self.depth = base, [], [], 0

    def handle_starttag(self, tag, attrs):
        if tag == "a":
            self.links.append(urljoin(self.base, dict(attrs).get("href", "")))
        self.depth += tag in ("script", "style")

    def handle_endtag(self, tag):
        self.depth -= tag in ("script", "style")

    def handle_data(self, data):
        if not self.depth and data.strip():
            self.text.append(data.strip())


page = """
<html><head><style>p {color: red}</style></head>
<body><p>See <a href="/docs?x=1&amp;y=2">the docs</a> or <a href='other.html'>this</a>&nbsp;&copy;</p>
<script>if (a < b) { }</script><br/></body></html>"""
parser = Links("https://example.com/base/index.html")
parser.feed(page)
print(parser.links)
print(parser.text)
