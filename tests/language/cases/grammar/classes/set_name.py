# Descriptors learn the name and the owner they were assigned to.
class Field:
    def __set_name__(self, owner, name):
        self.name = name
        print("named", owner.__name__, name)

    def __get__(self, instance, owner):
        if instance is None:
            return f"<field {self.name} of {owner.__name__}>"
        return instance.values.get(self.name, "unset")

    def __set__(self, instance, value):
        instance.values[self.name] = value


class Record:
    title, pages = Field(), Field()

    def __init__(self):
        self.values = {}


r = Record()
r.title = "Emma"
print(r.title, r.pages, Record.pages)
