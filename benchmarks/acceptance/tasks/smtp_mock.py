import smtplib, ssl, unittest
from email.mime.text import MIMEText
from unittest.mock import patch
def send(to):
    m = MIMEText("hi"); m["To"] = to; m["Subject"] = "s"
    with smtplib.SMTP("smtp.x", 587) as s:
        s.starttls(); s.login("u", "p"); s.sendmail("a", [to], m.as_string())
class T(unittest.TestCase):
    @patch("smtplib.SMTP")
    def test_it(self, smtp):
        send("b@c"); i = smtp.return_value.__enter__.return_value
        self.assertTrue(i.starttls.called); self.assertEqual(i.sendmail.call_args[0][1], ["b@c"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
