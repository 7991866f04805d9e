import html
import re


def convert(text):
    """Headings, emphasis, code, links and lists of Markdown."""
    out, in_list = [], False
    for line in text.strip().splitlines():
        line = html.escape(line, quote=False)
        line = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", line)
        line = re.sub(r"`(.+?)`", r"<code>\1</code>", line)
        line = re.sub(r"\[(.+?)\]\((.+?)\)", r'<a href="\2">\1</a>', line)
        item = re.match(r"[-*] (.*)", line)
        if bool(item) != in_list:
            in_list = bool(item)
            out.append("<ul>" if in_list else "</ul>")
        if item:
            out.append(f"  <li>{item[1]}</li>")
        elif heading := re.match(r"(#+) (.*)", line):
            out.append(f"<h{len(heading[1])}>{heading[2]}</h{len(heading[1])}>")
        elif line:
            out.append(f"<p>{line}</p>")
    return "\n".join(out + ["</ul>"] * in_list)


print(convert("""
# Title
Some **bold** text with `a < b`.
- [one](http://x.org)
- two & three
## End
"""))
print(html.unescape("&lt;&eacute;&#x27;&gt;"))
