import email
import mimetypes
from email.message import EmailMessage
from email.policy import default

message = EmailMessage()
message["From"] = "ann@example.com"
message["To"] = "Bob <bob@example.com>, cy@example.com"
message["Subject"] = "Grüße"
message.set_content("Plain text\nwith two lines.\n")
message.add_alternative("<p>HTML</p>", subtype="html")
message.add_attachment(b"\x00\x01", maintype="application", subtype="octet-stream", filename="data.bin")
parsed = email.message_from_bytes(bytes(message), policy=default)
print(parsed["subject"], [address.addr_spec for address in parsed["to"].addresses])
print(parsed.get_body(("plain",)).get_content().splitlines())
print([(part.get_filename(), part.get_content()) for part in parsed.iter_attachments()])
print([part.get_content_type() for part in parsed.walk()])
print(mimetypes.guess_type("photo.jpeg"), mimetypes.guess_type("a.tar.gz"))
