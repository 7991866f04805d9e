sha256sum poem.txt empty.txt; md5sum poem.txt; sha1sum < poem.txt; sha512sum empty.txt; sha256sum poem.txt > s; sha256sum -c s; echo x >> poem.txt; sha256sum -c s 2>/dev/null; echo $?
---
base64 poem.txt; base64 poem.txt | base64 -d; base64 -w 20 poem.txt; echo aGk= | base64 --decode; base64 -w0 poem.txt; echo '***' | base64 -d 2>/dev/null; echo $?
