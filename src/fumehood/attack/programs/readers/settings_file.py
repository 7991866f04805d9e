# aim: read a file as settings
# mechanism: configparser reads it and shows the line it cannot read
# language: check
# reason: the policy does not authorize configparser
# jail: mount namespace, landlock
# plain: loot
import configparser
try:
    configparser.ConfigParser().read(secret_path)
except configparser.Error as error:
    loot(str(error))
