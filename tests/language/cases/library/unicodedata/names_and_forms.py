# Characters have names and categories, and text has normal forms.
import unicodedata

print(unicodedata.name("é"), unicodedata.lookup("GREEK SMALL LETTER PI"), unicodedata.category("A"))
print(len(unicodedata.normalize("NFD", "é")), unicodedata.digit("5"), unicodedata.numeric("½"))
print(unicodedata.name("\x00", "nameless"), unicodedata.east_asian_width("中"), unicodedata.bidirectional("a"))
plain = "".join(c for c in unicodedata.normalize("NFKD", "Crème Brûlée") if not unicodedata.combining(c))
plain
