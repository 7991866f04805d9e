class PluginMeta(type):
    plugins = {}

    def __new__(mcls, name, bases, namespace, **options):
        cls = super().__new__(mcls, name, bases, namespace)
        if bases:
            mcls.plugins[options.get("key", name.lower())] = cls
        return cls

    def __init__(cls, name, bases, namespace, **options):
        super().__init__(name, bases, namespace)

    def __call__(cls, *args, **kwargs):
        instance = super().__call__(*args, **kwargs)
        instance.created_by = cls.__name__
        return instance

    def __iter__(cls):
        return iter(sorted(cls.plugins))


class Plugin(metaclass=PluginMeta):
    def run(self):
        raise NotImplementedError


class Upper(Plugin):
    def run(self):
        return "UPPER"


class Lower(Plugin, key="low"):
    def run(self):
        return "lower"


print(list(Plugin), [PluginMeta.plugins[key]().run() for key in Plugin], Upper().created_by)
Made = type("Made", (Plugin,), {"run": lambda self: "made"})
print(Made().run(), type(Made).__name__, Made.__mro__[1].__name__, Made.__module__)
