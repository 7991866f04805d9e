# aim: have a browser run what a sandbox has written
# mechanism: a page as the content of a file, and in the message of a refusal
# server: log
# plain: naive

def attack():
    ask("PUT", f"{here}/files/content?path=page.html", b"<script>alert(1)</script>")
    answers = [ask("GET", f"{here}/files/content?path=page.html"), ask("GET", f"{here}/files/content?path={quote('<script>')}"), request("GET", "/<script>")]
    for answer in answers:
        head = answer.head.lower()
        if b"text/html" in head or b"nosniff" not in head or b"default-src 'none'" not in head:
            return "a browser would show it"


judge(attack)
