from bs4 import BeautifulSoup
import lxml.html, re, html, urllib.parse
s = BeautifulSoup("<html><body><a href='/x?a=1'>X</a><p class='c'>t<b>2</b></p><table><tr><td>1</td></tr></table></body></html>", "html.parser")
print([a["href"] for a in s.find_all("a")], s.select_one("p.c").get_text(), [td.text for td in s.find_all("td")])
print(BeautifulSoup("<p>x", "lxml").p, lxml.html.fromstring("<div><i>q</i></div>").xpath("//i/text()"), html.unescape("&lt;"), urllib.parse.urljoin("http://a/b/", "../c"))
open("p.html", "w").write(str(s)); print(BeautifulSoup(open("p.html"), "html.parser").a.text); import pandas as pd, io; print(pd.read_html(io.StringIO(str(s)))[0].values.tolist())
