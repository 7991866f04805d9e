# Addresses are split, joined, quoted and queried.
import urllib.parse
import urllib.parse as up
from urllib.parse import parse_qs, quote, unquote, urlencode, urljoin, urlparse

parts = urlparse("https://user@example.org:8080/a/b;p?x=1&y=2#top")
print(parts.scheme, parts.hostname, parts.port, parts.path, parts.query, parts.fragment, parts.username)
print(parse_qs("a=1&a=2&b=%20c"), up.parse_qsl("k=v&k2="), urllib.parse.unquote_plus("a+b%21"))
print(quote("a b/ü?"), quote("a/b", safe=""), unquote("%C3%BC"), urlencode({"q": "x y", "n": [1, 2]}, doseq=True))
print(urljoin("http://h/a/b", "../c"), up.urlunsplit(("http", "h", "/p", "q=1", "")), up.urldefrag("u#f").fragment)
try:
    urlparse("http://h:bad").port
except ValueError as error:
    print(type(error).__name__)
parts._replace(scheme="http", netloc="h").geturl()
