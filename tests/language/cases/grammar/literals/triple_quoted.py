# Triple-quoted strings keep their line breaks and quotes.
text = """first
  second "quoted"
third\
 joined
"""
print(text)
print(len(text), text.splitlines())
print('''a''b''', """\"""" + 'c')
