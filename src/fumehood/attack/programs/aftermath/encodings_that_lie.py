# aim: take over the way in which the runner makes bytes of texts
# mechanism: codecs.register and codecs.register_error
# language: check
# reason: the policy does not authorize codecs
# jail: wire
# plain: none (in a plain process there is nobody else's code)
# expect: held
# host: again, state
# hosts: root
import codecs
for name in ("strict", "surrogatepass", "backslashreplace", "surrogateescape", "replace"):
    codecs.register_error(name, lambda error: ("forged" * 1000, error.end))
codecs.register(lambda name: 1 / 0)
"held: they lie \ud800"
