import io
import struct
import zlib
from dataclasses import dataclass


@dataclass
class Packet:
    kind: int
    payload: bytes
    HEADER = struct.Struct("!BHI")

    def encode(self):
        return self.HEADER.pack(self.kind, len(self.payload), zlib.crc32(self.payload)) + self.payload

    @classmethod
    def read(cls, stream):
        header = stream.read(cls.HEADER.size)
        if not header:
            return None
        kind, length, checksum = cls.HEADER.unpack(header)
        payload = stream.read(length)
        if len(payload) < length:
            raise EOFError(f"expected {length} bytes, got {len(payload)}")
        if zlib.crc32(payload) != checksum:
            raise ValueError("checksum mismatch")
        return cls(kind, payload)


packets = [Packet(1, b"hello"), Packet(2, b""), Packet(255, bytes(range(10)))]
raw = b"".join(packet.encode() for packet in packets)
stream = io.BytesIO(raw)
print([packet for packet in iter(lambda: Packet.read(stream), None)] == packets, len(raw), raw[:7].hex(" "))
for broken in (raw[:-1], raw[:8] + b"X" + raw[9:]):
    stream = io.BytesIO(broken)
    try:
        while packet := Packet.read(stream):
            print("packet", packet.kind)
    except (EOFError, ValueError) as error:
        print(type(error).__name__, error)
