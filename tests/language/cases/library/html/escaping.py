# Text is escaped for and unescaped from HTML.
import html
from html import escape, unescape

print(escape('<a href="x">&</a>'), escape("'\"", quote=False), unescape("&lt;&eacute;&#65;&notanentity;"))
html.unescape(html.escape("a < b & c")) == "a < b & c"
