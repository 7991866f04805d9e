# Since 3.12 a field may use the quotes of its f-string, backslashes and comments.
# python: 3.12+
words = ["a", "b"]
table = {"k": "v"}
print(f"{"\n".join(words)}")
print(f"{table["k"]} {f"{f"{f"{1 + 1}"}"}"}")
print(f"{
    words  # a comment inside
    [0]
}")
print(f'{'single' + "double"} {"\N{BULLET}"} {"tab\there"}')
