# UUIDs are built from fixed numbers, text and names.
import uuid
from uuid import NAMESPACE_DNS, UUID

small = UUID(int=5)
print(small, small.hex, small.int, repr(small), small == UUID("00000000-0000-0000-0000-000000000005"))
named = uuid.uuid5(NAMESPACE_DNS, "example.org")
print(named, named.version, uuid.uuid3(uuid.NAMESPACE_URL, "x").version)
print(sorted([UUID(int=9), UUID(int=2)])[0], named.bytes[:2], UUID(bytes=b"\x01" * 16).urn)
print(uuid.uuid4().version, uuid.uuid4() != uuid.uuid4(), len(str(uuid.uuid4())))
try:
    UUID("not a uuid")
except ValueError as error:
    print(error)
UUID(int=1).fields
