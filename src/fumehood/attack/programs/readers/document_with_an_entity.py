# aim: have a reader of documents read a file
# mechanism: xml.sax with external entities, as other readers of XML do by default
# language: check
# reason: the policy does not authorize xml.sax, xml.sax.handler
# jail: mount namespace, landlock
# plain: loot
import io, xml.sax, xml.sax.handler

class Reader(xml.sax.handler.ContentHandler):
    text = ""
    def characters(self, text):
        Reader.text += text

parser = xml.sax.make_parser()
parser.setFeature(xml.sax.handler.feature_external_ges, True)
parser.setContentHandler(Reader())
parser.parse(io.StringIO(f'<!DOCTYPE x [<!ENTITY e SYSTEM "file://{secret_path}">]><x>&e;</x>'))
loot(Reader.text)
