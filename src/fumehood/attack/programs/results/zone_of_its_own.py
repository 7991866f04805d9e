# aim: have the host compute with a time zone that is code
# mechanism: a datetime with a subclass of tzinfo
# language: nothing (a class may be a time zone)
# jail: wire
# plain: none (in a plain process a value goes nowhere)
# expect: held
# host: state
# hosts: root
import datetime

class Zone(datetime.tzinfo):
    def utcoffset(self, moment):
        raise SystemExit
    tzname = dst = utcoffset
    def __deepcopy__(self, memo):
        return self

moment = datetime.datetime(2026, 1, 1, tzinfo=Zone())
[moment]
# ---
"held: the host is still there"
