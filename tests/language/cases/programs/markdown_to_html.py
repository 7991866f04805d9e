# A converter from a little Markdown to HTML.
import html
import re


class Markdown:
    INLINE = [
        (re.compile(r"\*\*(.+?)\*\*"), r"<b>\1</b>"),
        (re.compile(r"\*(.+?)\*"), r"<i>\1</i>"),
        (re.compile(r"`(.+?)`"), r"<code>\1</code>"),
        (re.compile(r"\[(.+?)\]\((.+?)\)"), r'<a href="\2">\1</a>'),
    ]

    def inline(self, text):
        text = html.escape(text, quote=False)
        for pattern, replacement in self.INLINE:
            text = pattern.sub(replacement, text)
        return text

    def blocks(self, source):
        block = []
        for line in [*source.splitlines(), ""]:
            if line.strip():
                block.append(line.rstrip())
            elif block:
                yield block
                block = []

    def convert(self, source):
        parts = []
        for block in self.blocks(source):
            match block:
                case [line] if heading := re.match(r"(#+)\s+(.*)", line):
                    level = len(heading[1])
                    parts.append(f"<h{level}>{self.inline(heading[2])}</h{level}>")
                case [first, *_] if first.startswith("- "):
                    items = "".join(f"<li>{self.inline(line[2:])}</li>" for line in block)
                    parts.append(f"<ul>{items}</ul>")
                case [line, underline] if set(underline) == {"="}:
                    parts.append(f"<h1>{self.inline(line)}</h1>")
                case _:
                    parts.append(f"<p>{self.inline(' '.join(block))}</p>")
        return "\n".join(parts)


SOURCE = """
Title
=====

Some *nice* **bold** text with `a < b` & a [link](http://x.org).
On two lines.

## Things
- one
"""
print(Markdown().convert(SOURCE + "\n- **first**\n- second\n"))
Markdown().convert("### Deep")
