import random
import uuid

namespace = uuid.uuid5(uuid.NAMESPACE_DNS, "example.com")
print(namespace, uuid.uuid3(uuid.NAMESPACE_URL, "http://x"))
print(namespace.version, namespace.int % 1000, namespace.bytes[:2], uuid.UUID(hex=namespace.hex) == namespace)
made = uuid.uuid4()
print(made.version, made.variant == uuid.RFC_4122, len(str(made)), uuid.uuid4() != made)
random.seed(5)
print(uuid.UUID(int=random.getrandbits(128), version=4))
print(uuid.uuid1().version, uuid.uuid1() != uuid.uuid1())
try:
    uuid.UUID("nonsense")
except ValueError as error:
    print(error)
