import xml.etree.ElementTree as ET
from xml.dom import minidom

XML = """<?xml version="1.0"?>
<catalog xmlns:d="http://example.com/d">
  <book id="1"><title>Emma</title><price currency="EUR">9.50</price></book>
  <book id="2"><title>Ulysses &amp; more</title><price currency="USD">12</price><d:note>rare</d:note></book>
</catalog>"""
root = ET.fromstring(XML)
for book in root.iter("book"):
    print(book.get("id"), book.findtext("title"), float(book.find("price").text), book.find("price").attrib)
print(root.find("book/[@id='2']/d:note", {"d": "http://example.com/d"}).text, len(root.findall(".//price")))
for price in root.iter("price"):
    price.text = f"{float(price.text) * 2:.2f}"
ET.SubElement(root, "book", id="3").text = "empty"
ET.indent(root)
ET.ElementTree(root).write("catalog.xml", encoding="utf-8", xml_declaration=True)
print(open("catalog.xml").read())
print([event for event, _ in ET.iterparse("catalog.xml", events=("start", "end"))][:4])
print(minidom.parseString("<a><b/></a>").toprettyxml(indent=" "))
try:
    ET.fromstring("<a><b></a>")
except ET.ParseError as error:
    print(error)
