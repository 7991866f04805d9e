# Wrapping, filling, shortening, dedenting and indenting of text.
import textwrap
from textwrap import dedent, indent

text = "The quick brown fox jumps over the lazy dog and runs into the deep dark forest."
print(textwrap.fill(text, width=30))
print(textwrap.wrap(text, 20, initial_indent="* ", subsequent_indent="  "))
print(textwrap.shorten(text, width=35, placeholder="..."))
print(
    dedent(
        """
        def f():
            return 1
        """
    ).strip()
)
print(indent("a\n\nb", "> "), indent("a\n\nb", "- ", lambda line: True))
textwrap.TextWrapper(width=12, max_lines=2).wrap(text)
