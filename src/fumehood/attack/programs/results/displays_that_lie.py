# aim: have what is shown be of another type than it says
# mechanism: _repr_html_, _repr_png_ and _repr_mimebundle_ that give other things
# language: nothing (a class may have methods of that name)
# jail: wire
# plain: none (in a plain process nothing is shown)
# expect: held
# hosts: root
class Shown:
    def _repr_html_(self):
        return 7
    def _repr_png_(self):
        return "<script>" * 1000
    def _repr_mimebundle_(self, *arguments, **keywords):
        return {"text/html": b"\xff", "../../etc": "x", 7: 8, "image/png": "A" * 999}
    def _repr_svg_(self):
        raise SystemExit

Shown()
# ---
"held: the host is still there"
