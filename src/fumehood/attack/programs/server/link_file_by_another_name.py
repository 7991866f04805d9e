# aim: read a file with a link that was made for another
# mechanism: the path of a link is another, and the old one is there too
# server: links
# plain: naive

def attack():
    answer = request("GET", "/files?path=secret.txt&" + link_to().partition("?")[2].replace("path=public.txt&", "") + "&path=public.txt")
    return answer.is_good and b"everybody" not in answer.body and f"the link is good: {answer.body[:100]!r}"


judge(attack)
