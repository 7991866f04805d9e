# Braces and names inside plain strings are left alone.
name = "ann"
print("{name}", "%s" % name, "{0}", f"{{name}} {name}", "{" + name + "}")
text = "final_answer(5) import os __class__ open('file')"
print(text, len(text), "__globals__" in text)
print("""a 'quoted' "text" \\n {x}""", 'tab\there', b"bytes {name}")
r"\d{2}" "joined"
