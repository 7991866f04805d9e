import configparser, xml.etree.ElementTree as ET, xml.dom.minidom, io, csv, plistlib, tomllib, json
c = configparser.ConfigParser(); c.read_dict({"a": {"x": "1", "y": "%(x)s2"}}); c.write(open("c.ini", "w")); d = configparser.ConfigParser(); print(d.read("c.ini"), d["a"]["y"], d.getint("a", "x"))
try: d["zz"]
except KeyError as e: print("KeyError", e)
r = ET.fromstring("<r><i n='1'>a</i><i n='2'/></r>"); ET.ElementTree(r).write("o.xml", encoding="utf-8", xml_declaration=True); print(ET.parse("o.xml").findall(".//i[@n='2']")[0].attrib, open("o.xml").read())
print(xml.dom.minidom.parseString("<a><b/></a>").toprettyxml(indent=" "))
try: ET.fromstring("<a>")
except ET.ParseError as e: print(e)
plistlib.dump({"a": [1]}, open("p.plist", "wb")); print(plistlib.load(open("p.plist", "rb")), tomllib.loads("a=[1,2]"))
