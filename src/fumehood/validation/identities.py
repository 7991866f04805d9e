"""The table of numbers that stand for a person: national ids, one row each. Rows only; personal.py
is the engine.

A number counts if its check digits are right and it is either *written* as only such a number is,
or stands near a *word* that names it: nine digits by themselves are anything. `countries=` of
PersonalData chooses rows by their country.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from fumehood.validation import checksums


@dataclass(frozen=True)
class Identity:
    """`kind` is its name in code, `label` what stands in its place, `form` how it is written,
    `check` the arithmetic. `telling` is the beginning of a form that needs no word nearby, None if
    none tells; `naming` are those words. Expressions are compiled when needed."""

    kind: str
    label: str
    form: str
    check: Callable[[str], bool]
    telling: str | None
    naming: str
    reason: str

    @property
    def country(self) -> str:
        return self.kind[:2].upper()

    @cached_property
    def regex(self) -> re.Pattern[str]:
        return with_edges(self.form)

    @cached_property
    def written(self) -> re.Pattern[str] | None:
        return None if self.telling is None else re.compile(self.telling)

    @cached_property
    def words(self) -> re.Pattern[str]:
        return re.compile(rf"(?<![a-z])(?:{self.naming})(?![a-z])", re.IGNORECASE)

    @cached_property
    def hints(self) -> tuple[str, ...]:
        """How the words begin, in small letters: one must be in a text before the words are looked
        for."""
        return tuple(_BEGINNING.match(word)[0] for word in self.naming.split("|"))  # type: ignore[index]


_BEGINNING = re.compile(r"[a-z]*[^\x00-\x7f]?")


def with_edges(form: str) -> re.Pattern[str]:
    """Not a part of a longer number or word."""
    return re.compile(rf"(?<![A-Za-z0-9])(?<![0-9][.\-/])(?:{form})(?![A-Za-z0-9])(?![.\-/][0-9])")


ANY = ""
"""Every form tells: the number is long, or holds letters where others have none."""

IDENTITIES: tuple[Identity, ...] = (
    Identity("us_ssn", "US social security number", r"\d{3}-\d{2}-\d{4}|\d{3} \d{2} \d{4}|\d{9}", checksums.us_ssn, r"\d{3}-", r"ssn|social[ _-]?security|soc\.? sec|itin|tax[ _-]?payer", "has no check digit, so the dashes have to tell"),
    Identity("uk_nino", "UK national insurance number", r"[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]", lambda text: text[:2] not in {"BG", "GB", "KN", "NK", "NT", "TN", "ZZ"}, r"[A-Z]{2} \d{2} \d{2} \d{2} [A-D]", "nino?|ni (?:no|number|nr)|national[ _-]?insurance", "no check digit; codes of goods look the same without spaces"),
    Identity("de_steuer_id", "German tax id", r"\d{11}|\d{2} \d{3} \d{3} \d{3}", checksums.de_steuer_id, None, r"steuer\w*|idnr|tin|tax[ _-]?(?:id|no|number|nr)\w*|ident\w*nummer", "eleven digits"),
    Identity("fr_nir", "French social security number", r"[1278] ?\d{2} ?\d{2} ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}", checksums.fr_nir, r"[1278] \d{2} \d{2} ", r"nir|s[ée]cu(?:rit[ée])?|num[ée]ro de s[ée]cu\w*|insee|ssn|assur[ée]", "fifteen digits, the last two of which are a check"),
    Identity("es_dni", "Spanish identity number", r"\d{8}-?[A-HJ-NP-TV-Z]|[XYZ]-?\d{7}-?[A-HJ-NP-TV-Z]", checksums.es_dni, r"[XYZ]-?\d{7}-|\d{8}-", r"dni|nie|nif|documento|identidad|identity|national[ _-]?id", "a code of goods passes one time in 23"),
    Identity("it_codice_fiscale", "Italian tax code", r"[A-Z]{6}\d{2}[A-EHLMPR-T]\d{2}[A-Z]\d{3}[A-Z]", checksums.it_codice_fiscale, ANY, "codice", "letters and digits in a fixed order, and a check letter"),
    Identity("nl_bsn", "Dutch citizen number", r"\d{9}|\d{4}\.\d{2}\.\d{3}", checksums.nl_bsn, None, r"bsn|burger\s?service\s?n\w*|sofi\w*|citizen service", "nine digits; one in eleven passes"),
    Identity("pl_pesel", "Polish PESEL", r"\d{11}", checksums.pl_pesel, None, "pesel", "eleven digits"),
    Identity("se_personnummer", "Swedish personal number", r"(?:19|20)?\d{6}[-+]\d{4}|(?:19|20)?\d{10}", checksums.se_personnummer, r"\d+[-+]", r"person\s?n(?:umme)?r|pnr|personal[ _-]?(?:identity )?n\w*|swedish", "a date, four digits and Luhn's check"),
    Identity("br_cpf", "Brazilian CPF", r"\d{3}\.\d{3}\.\d{3}-\d{2}|\d{11}", checksums.br_cpf, r"\d{3}\.", "cpf|cadastro", "two check digits"),
    Identity("in_aadhaar", "Aadhaar number", r"[2-9]\d{3}[ -]\d{4}[ -]\d{4}|[2-9]\d{11}", checksums.verhoeff, None, r"aadhaa?r|adhaa?r|uidai|uid", "twelve digits in fours, as numbers in a table are"),
    Identity("in_pan", "Indian PAN", r"[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z]", lambda text: True, None, r"pan|permanent account\w*|income tax", "no check that is public"),
    Identity("cn_resident", "Chinese identity number", r"[1-9]\d{16}[\dX]", checksums.cn_resident, ANY, "身份证", "a date in the middle and a check digit"),
    Identity("ch_ahv", "Swiss AHV number", r"756\.\d{4}\.\d{4}\.\d{2}|756\d{10}", checksums.ch_ahv, r"756\.", r"ahv\w*|avs|oasi|navs13|sozialversicherungs\w*", "without dots it is a barcode of goods"),
    Identity("be_register", "Belgian national number", r"\d{2}\.\d{2}\.\d{2}-\d{3}\.\d{2}|\d{11}", checksums.be_register, r"\d{2}\.", r"rijksregister\w*|registre national|national[ _-]?(?:register|number|id)|insz|niss", "a date and a check"),
    Identity("fi_hetu", "Finnish identity code", r"\d{6}[-+A]\d{3}[0-9A-FHJ-NPR-Y]", checksums.fi_hetu, ANY, "hetu", "a date, a sign and a check letter"),
    Identity("dk_cpr", "Danish CPR number", r"\d{6}-?\d{4}", checksums.dk_cpr, None, r"cpr\w*|personnummer", "no check digit any more"),
    Identity("no_number", "Norwegian birth number", r"\d{6} ?\d{5}", checksums.no_number, None, r"fødselsn\w*|fodselsn\w*|personn\w*|fnr|national[ _-]?id\w*", "two check digits"),
    Identity("ca_sin", "Canadian SIN", r"\d{3}[ -]\d{3}[ -]\d{3}|\d{9}", checksums.ca_sin, None, r"sin|social insurance|nas", "nine digits; one in ten passes"),
    Identity("au_tfn", "Australian TFN", r"\d{3} \d{3} \d{3}|\d{9}", checksums.au_tfn, None, r"tfn|tax file", "nine digits; one in eleven passes"),
    Identity("mx_curp", "Mexican CURP", r"[A-Z][AEIOUX][A-Z]{2}\d{6}[HMX][A-Z]{5}[A-Z0-9]\d", checksums.mx_curp, ANY, "curp", "letters and digits in a fixed order, and a check digit"),
    Identity("kr_rrn", "Korean registration number", r"\d{6}-[1-8]\d{6}", checksums.kr_rrn, ANY, "주민등록", "a date, a sign and a check digit"),
    Identity("jp_my_number", "Japanese My Number", r"\d{4}[ -]\d{4}[ -]\d{4}|\d{12}", checksums.jp_my_number, None, r"my[ _-]?number|マイナンバー|個人番号", "twelve digits in fours"),
    Identity("za_id", "South African id", r"\d{13}", checksums.za_id, None, r"sa[ _-]?id\w*|south african|rsa[ _-]?id\w*|id[ _-]?(?:number|no|nr)|identity", "thirteen digits, as a time in milliseconds has"),
    Identity("tr_tckn", "Turkish identity number", r"[1-9]\d{10}", checksums.tr_tckn, None, r"tc ?no\w*|tckn|kimlik", "eleven digits"),
    Identity("cl_rut", "Chilean RUT", r"\d{1,2}\.\d{3}\.\d{3}-[\dKk]|\d{7,8}-[\dKk]", checksums.cl_rut, r"\d{1,2}\.", "rut|run|rol", "the dots tell"),
    Identity("sg_nric", "Singapore NRIC", r"[STFGM]\d{7}[A-Z]", checksums.sg_nric, None, r"nric|fin|identification", "codes of goods look the same"),
    Identity("pt_nif", "Portuguese NIF", r"[1-35689]\d{8}|[1-35689]\d{2} \d{3} \d{3}", checksums.pt_nif, None, r"nif|contribuinte|número fiscal|numero fiscal", "nine digits"),
    Identity("cz_rodne", "Czech or Slovak birth number", r"\d{6}/?\d{4}", checksums.cz_rodne, r"\d{6}/", r"rodn[ée] [čc][íi]slo|rodne[ _]?cislo|r\.\s?č\.|birth[ _-]?number", "a date, and divisible by eleven"),
    Identity("ro_cnp", "Romanian CNP", r"[1-8]\d{12}", checksums.ro_cnp, None, r"cnp|cod numeric", "thirteen digits, as a time in milliseconds has"),
    Identity("ie_pps", "Irish PPS number", r"\d{7}[A-W][A-IW]?", checksums.ie_pps, None, r"pps\w*|personal public service", "codes of goods look the same"),
    Identity("at_svnr", "Austrian insurance number", r"\d{4} ?\d{6}", checksums.at_svnr, None, r"sv-?n\w*|svnr|sozialversicherungs\w*|versicherungsn\w*", "ten digits"),
)  # fmt: skip
