# Plugins that register themselves through __init_subclass__.
class Plugin:
    registry = {}

    def __init_subclass__(cls, /, name=None, abstract=False, **kwargs):
        super().__init_subclass__(**kwargs)
        if not abstract:
            Plugin.registry[name or cls.__name__.lower()] = cls

    def __init__(self, **options):
        self.options = options

    def run(self, text):
        raise NotImplementedError(f"{type(self).__name__} must define run")


class Upper(Plugin):
    def run(self, text):
        return text.upper()


class TextPlugin(Plugin, abstract=True):
    separator = " "


class Repeat(TextPlugin, name="again"):
    def run(self, text):
        return self.separator.join([text] * self.options.get("times", 2))


class Reverse(TextPlugin):
    def run(self, text):
        return text[::-1]


class Lazy(Plugin):
    pass


def pipeline(text, *steps):
    for name, options in steps:
        try:
            plugin = Plugin.registry[name](**options)
        except KeyError:
            raise LookupError(f"no plugin {name!r}; there are {', '.join(sorted(Plugin.registry))}") from None
        text = plugin.run(text)
    return text


print(list(Plugin.registry))
print(pipeline("abc", ("upper", {}), ("again", {"times": 3}), ("reverse", {})))
for name in ("lazy", "missing"):
    try:
        pipeline("x", (name, {}))
    except (NotImplementedError, LookupError) as error:
        print(type(error).__name__, error)
issubclass(Plugin.registry["again"], TextPlugin)
