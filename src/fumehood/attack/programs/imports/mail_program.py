# aim: start a program through a reader of mail
# mechanism: imaplib.IMAP4_stream, which runs a command
# language: check
# reason: the policy does not authorize imaplib
# jail: process
# plain: loot
import imaplib
loot(imaplib.IMAP4_stream.open.__globals__)
