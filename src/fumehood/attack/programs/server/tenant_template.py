# aim: use a template that is for another key, and see what its setup planted
# mechanism: a sandbox of that template, by both APIs
# server: tenancy
# plain: owner

def attack():
    for path, body, name in (("/v1/sandboxes", {"template": "private"}, "id"), ("/sandboxes", {"templateID": "private"}, "sandboxID")):
        made = ask("POST", path, body)
        if made.is_good:
            ask("GET", f"/v1/sandboxes/{made.json[name]}/variables/planted")


judge(attack)
