# aim: see which files the server's machine has
# mechanism: a path with steps upwards, to list
# server: files
# plain: naive

def attack():
    for path in ("..", "../..", "/", "/etc", outside_dir + "/.."):
        listed = ask("GET", f"{here}/files?path={quote(path)}")
        if listed.is_good and any(entry["name"] in ("secret", "passwd", "etc") for entry in listed.json["entries"]):
            return f"{path} is listed"


judge(attack)
