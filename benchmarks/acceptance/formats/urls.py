from urllib.parse import parse_qs, parse_qsl, quote, quote_plus, unquote, urlencode, urljoin, urlparse, urlsplit, urlunparse

url = urlparse("https://user:pw@Example.com:8443/a/b%20c;p?q=1&q=2&empty=&name=J%C3%BCrgen#frag")
print(url.scheme, url.hostname, url.port, url.username, url.path, url.params, url.fragment)
print(parse_qs(url.query), parse_qs(url.query, keep_blank_values=True)["empty"], parse_qsl("a=1&a=2"))
print(urlencode({"q": "a b&c", "n": [1, 2]}, doseq=True), quote("a/b c?"), quote_plus("a/b c?", safe="/"), unquote("%E2%82%AC"))
print(urlunparse(url._replace(query="", fragment="", netloc="other.org")))
for path in ("../x", "//host/y", "?z=1", "http://q/"):
    print(urljoin("https://example.com/a/b/c.html", path))
print(urlsplit("//localhost/path").netloc, urlparse("mailto:a@b.c").path)
try:
    urlparse("http://[bad/").port
except ValueError as error:
    print(error)
