date -u -d 2024-02-29T12:34:56 '+%Y-%m-%d %H:%M:%S %j %a %b %e %s %%'; date -u -d @0 '+%F %T'; date -u -d 2024-01-05 +%-d; date -u -d '2024-01-05 06:07:08' -R
---
whoami > /dev/null; echo $?; uname -s; uname -m; nproc > /dev/null; echo $?; sleep 0; sleep 0.01; echo $?; id -u > /dev/null; echo $?
---
true; echo $?; false; echo $?; :; echo $?; X=1 printenv X; printenv NOTHING; echo $?; export A=b; env | grep '^A='; unset A; env | grep -c '^A='; env -u HOME printenv HOME; echo $?; env Z=1 sh -c 'echo $Z'
---
x=1; sh -c 'echo [$x]'; export x; sh -c 'echo [$x]'; command -v nosuchthing; echo $?; which nosuchthing > /dev/null 2>&1; echo $?
