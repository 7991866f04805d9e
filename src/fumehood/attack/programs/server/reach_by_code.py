# aim: have the server call an address that the attacker cannot reach
# mechanism: code in a sandbox that opens a connection
# server: jail
# plain: naive

def attack():
    address = f"http://127.0.0.1:{tcp_port}/"
    run(f"import os\nos.system('true')\n__import__('socket').create_connection(('127.0.0.1', {tcp_port}), 2)")


judge(attack)
