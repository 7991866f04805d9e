# Plain, raw, bytes, formatted and unicode strings in both cases.
name = "n"
print("a\tb", r"a\tb", R'\d+', u"ü", U"x", b"bytes\x00\xff", B"B", rb"\x", Rb"\y", bR"\z")
print(f"{name}", F"{name}", fr"\{name}", rf"\d{name}", Fr"{name}\n", RF"{name}")
print('single', "double", '''triple ' one''', """triple " two""", 'it''s')
