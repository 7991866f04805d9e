# aim: have the server hold more than it may
# mechanism: a query string of very many parameters
# server: head
# plain: naive

def attack():
    answer = ask("GET", f"{here}/files?" + "&".join(f"a{n}=1" for n in range(3_000)))
    return answer.is_good and "parameters that nobody knows are taken"


judge(attack)
