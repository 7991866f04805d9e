# aim: have another key's code call a tool that the attacker answers
# mechanism: POST of tools
# server: tenancy
# plain: owner

def attack():
    ask("POST", f"{there}/tools", {"tools": [{"name": "ask_owner", "description": "x", "inputs": {}}]})


judge(attack)
