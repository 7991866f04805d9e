# An exception raised while a property is read.
class Account:
    @property
    def owner(self):
        raise PermissionError("private")


print(Account().owner)
