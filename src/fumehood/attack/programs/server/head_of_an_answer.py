# aim: write a header of an answer
# mechanism: line ends in paths, names, ids and origins that answers may repeat
# server: log
# plain: naive

def attack():
    forged = quote("x\r\nX-Forged: yes\r\n\r\n<script>")
    answers = [
        ask("GET", f"{here}/files/content?path={forged}"),
        request("GET", f"/{forged}", headers={"X-Request-Id": "x", "Origin": "http://evil.example"}),
        ask("GET", f"/files?path={forged}", E2b_Sandbox_Id=mine.sandbox),
        ask("DELETE", f"/v1/snapshots/{forged}"),
    ]
    heads = b"\r\n".join(answer.head for answer in answers).lower()
    return (b"x-forged" in heads or b"evil.example" in heads) and "a header was written"


judge(attack)
