# aim: have the server fail, or think for long, about a body
# mechanism: bytes that are no text, and halves of characters
# server: body
# plain: naive

def attack():
    body = b'{"variables": {"x": "\\ud800", "y": "\xff\xfe"}}'
    ask("PUT", f"{here}/variables", body, Content_Type="application/json")


judge(attack)
