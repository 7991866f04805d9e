"""The table of secrets that tell themselves by their form. Rows only; secrets.py is the engine.

Every expression is linear: what repeats is bounded, or cannot begin again inside itself. Each
begins with its letters, which are quickly found; that nothing but them begins there is looked at
afterwards. `hints` are texts one of which must be there before the expression is tried at all. If
an expression has a group, that is the secret, else the whole of it.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple


@dataclass(frozen=True)
class Token:
    """One kind of secret. `check` has the last word on what the expression found."""

    name: str
    hints: tuple[str, ...]
    pattern: str | re.Pattern[str]
    reason: str
    check: Callable[[str], bool] | None = None
    exact: bool = False
    """Whether it is none if letters or digits come after it. Otherwise they are part of it."""
    spaced: bool = False
    """Whether the expression takes time by the square of a run of spaces, and must be shown none
    that is long."""

    @cached_property
    def regex(self) -> re.Pattern[str]:
        """Compiled when it is first needed, which for most rows is never."""
        return re.compile(self.pattern)


def looks_random(text: str) -> bool:
    """Letters of both cases and digits, in no order that a name has."""
    return (
        any(map(str.isdigit, text)) and any(map(str.isupper, text)) and any(map(str.islower, text))
    )


def has_digits_and_letters(text: str) -> bool:
    return any(map(str.isdigit, text)) and any(map(str.isalpha, text))


def is_name_and_password(text: str) -> bool:
    try:
        return b":" in base64.b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        return False


_BACK = r"(?![A-Za-z0-9])"


def _row(
    name: str, hints: str, regex: str, reason: str, check: Callable[[str], bool] | None = None
) -> Token:
    return Token(name, tuple(hints.split()), regex, reason, check)


TOKENS: tuple[Token, ...] = (
    _row(
        "Anthropic key",
        "sk-ant-",
        r"sk-ant-[A-Za-z0-9_\-]{20,250}",
        "the library has no row",
        looks_random,
    ),
    _row(
        "OpenAI key",
        "sk-",
        r"sk-[A-Za-z0-9_\-]{20,250}",
        "the library's row is quadratic and knows old forms",
        looks_random,
    ),
    _row(
        "AWS key",
        "AKIA ASIA ABIA ACCA",
        r"(?:AKIA|ASIA|(?:ABIA|ACCA)(?=[A-Z]{0,15}[0-9]))[0-9A-Z]{16}" + _BACK,
        "with edges, unlike the library's",
    ),
    _row(
        "GitHub token",
        "github_pat_",
        r"github_pat_[A-Za-z0-9_]{22,255}",
        "fine-grained tokens; the library knows the older ones",
    ),
    _row(
        "Slack token",
        "xox xapp-",
        r"(?:xox[a-z]|xapp)-[A-Za-z0-9\-]{15,250}",
        "app and rotated tokens too",
        has_digits_and_letters,
    ),
    _row(
        "Slack webhook",
        "hooks.slack.com",
        r"hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9_/]{20,120}",
        "whoever has the address can post",
    ),
    _row(
        "Stripe key",
        "k_live_ k_test_",
        r"[rs]k_(?:live|test)_[0-9A-Za-z]{16,250}",
        "test keys too, and of any length",
    ),
    _row(
        "Stripe webhook secret",
        "whsec_",
        r"whsec_[A-Za-z0-9+/=]{24,100}",
        "signs what Stripe sends",
    ),
    _row(
        "Hugging Face token",
        "hf_ api_org_",
        r"(?:hf|api_org)_[A-Za-z]{34,60}" + _BACK,
        "the library has no row",
    ),
    _row(
        "Hugging Face token", "hf_", r"hf_[A-Za-z0-9]{30,60}" + _BACK, "with digits", looks_random
    ),
    _row(
        "npm token",
        "npm_",
        r"npm_[A-Za-z0-9]{36}" + _BACK,
        "anywhere, not only in an .npmrc",
        has_digits_and_letters,
    ),
    _row("PyPI token", "pypi-AgE", r"pypi-AgE[A-Za-z0-9_\-]{50,1000}", "of any index"),
    _row(
        "Google key", "AIza", r"AIza[0-9A-Za-z_\-]{35}(?![0-9A-Za-z_\-])", "the library has no row"
    ),
    _row("Google token", "ya29.", r"ya29\.[0-9A-Za-z_\-]{20,1000}", "an OAuth access token"),
    _row("Google secret", "GOCSPX-", r"GOCSPX-[A-Za-z0-9_\-]{28}", "an OAuth client's secret"),
    _row(
        "JWT",
        "eyJ",
        r"(?<![A-Za-z0-9_\-])eyJ[A-Za-z0-9_\-]{8,4000}={0,2}\.eyJ[A-Za-z0-9_\-]{4,8000}={0,2}\.[A-Za-z0-9_\-]{16,2000}",
        "the library's row is quadratic",
    ),
    _row(
        "Azure key",
        "AccountKey= SharedAccessKey=",
        r"(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{40,100}={0,2})",
        "in a connection string",
    ),
    _row(
        "Azure signature",
        "sig=",
        r"[?&]sig=([A-Za-z0-9%+/]{40,120}={0,2})",
        "a shared access signature in an address",
        looks_random,
    ),
    _row(
        "Azure secret",
        "8Q~ 7Q~",
        r"(?<![A-Za-z0-9_~.\-])[A-Za-z0-9_~.\-]{3}[78]Q~[A-Za-z0-9_~.\-]{31,34}",
        "an application's secret",
    ),
    _row(
        "Telegram token",
        ":AA",
        r"(?<!\d)\d{8,10}:AA[A-Za-z0-9_\-]{33}(?![A-Za-z0-9_\-])",
        "the library's takes timestamps with hashes for one",
    ),
    _row(
        "Discord webhook",
        "/api/webhooks/",
        r"discord(?:app)?\.com/api/webhooks/\d{15,22}/[A-Za-z0-9_\-]{50,100}",
        "whoever has it can post",
    ),
    _row(
        "Teams webhook",
        "webhook.office.com",
        r"webhook\.office\.com/webhookb2/[A-Za-z0-9@\-/]{60,300}",
        "whoever has it can post",
    ),
    _row("DigitalOcean token", "_v1_", r"do[opr]_v1_[a-f0-9]{64}", "the library has no row"),
    _row("Databricks token", "dapi", r"dapi[0-9a-f]{32}(?:-\d)?" + _BACK, "the library has no row"),
    _row(
        "Shopify token",
        "shpat_ shpca_ shppa_ shpss_",
        r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}" + _BACK,
        "the library has no row",
    ),
    _row(
        "Vault token",
        "hvs. hvb. hvr.",
        r"hv[sbr]\.[A-Za-z0-9_\-]{24,500}",
        "the library has no row",
        looks_random,
    ),
    _row("Docker token", "dckr_pat_", r"dckr_pat_[A-Za-z0-9_\-]{27}", "the library has no row"),
    _row("Postman key", "PMAK-", r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}", "the library has no row"),
    _row("Linear key", "lin_api_", r"lin_api_[A-Za-z0-9]{40}", "the library has no row"),
    _row(
        "Notion token",
        "ntn_ secret_",
        r"(?:ntn_[A-Za-z0-9]{40,60}|secret_[A-Za-z0-9]{43})" + _BACK,
        "the library has no row",
        looks_random,
    ),
    _row(
        "Groq key",
        "gsk_",
        r"gsk_[A-Za-z0-9]{48,60}" + _BACK,
        "the library has no row",
        looks_random,
    ),
    _row(
        "xAI key", "xai-", r"xai-[A-Za-z0-9]{70,90}" + _BACK, "the library has no row", looks_random
    ),
    _row(
        "Perplexity key",
        "pplx-",
        r"pplx-[A-Za-z0-9]{40,60}" + _BACK,
        "the library has no row",
        has_digits_and_letters,
    ),
    _row(
        "Replicate token",
        "r8_",
        r"r8_[A-Za-z0-9]{37}" + _BACK,
        "the library has no row",
        looks_random,
    ),
    _row(
        "Grafana token",
        "glsa_ glc_",
        r"(?:glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|glc_[A-Za-z0-9+/]{32,400}={0,2})",
        "no row",
        looks_random,
    ),
    _row("New Relic key", "NRAK-", r"NRAK-[A-Z0-9]{27}" + _BACK, "the library has no row"),
    _row(
        "Sentry token",
        "sntrys_ sntryu_",
        r"sntry[su]_[A-Za-z0-9+/=_]{40,400}",
        "the library has no row",
    ),
    _row(
        "Supabase token",
        "sbp_ sb_secret_",
        r"(?:sbp_[a-f0-9]{40}|sb_secret_[A-Za-z0-9_\-]{20,60})",
        "the library has no row",
    ),
    _row(
        "Figma token",
        "figd_",
        r"figd_[A-Za-z0-9_\-]{35,60}",
        "the library has no row",
        looks_random,
    ),
    _row("Heroku key", "HRKU-", r"HRKU-[A-Za-z0-9_\-]{36,70}", "the library has no row"),
    _row(
        "Doppler token",
        "dp.pt. dp.st.",
        r"dp\.(?:pt|st)\.[A-Za-z0-9._\-]{40,70}",
        "the library has no row",
    ),
    _row(
        "Terraform token",
        ".atlasv1.",
        r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_\-]{60,70}",
        "the library has no row",
    ),
    _row(
        "Airtable token",
        "pat",
        r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}" + _BACK,
        "the library has no row",
    ),
    _row("age key", "AGE-SECRET-KEY-", r"AGE-SECRET-KEY-1[0-9A-Z]{50,70}", "decrypts files"),
    _row(
        "bearer token",
        "earer  EARER ",
        r"[Bb](?:earer|EARER)[ ]{1,3}([A-Za-z0-9._~+/\-]{16,4000}={0,2})",
        "of any kind, in a header",
        has_digits_and_letters,
    ),
    _row(
        "basic authentication",
        "asic  ASIC ",
        r"[Bb](?:asic|ASIC)[ ]{1,3}([A-Za-z0-9+/]{12,400}={0,2})(?![A-Za-z0-9])",
        "name and password, in a header",
        is_name_and_password,
    ),
)


class Plugin(NamedTuple):
    """A plugin of detect-secrets that is used. `check` has the last word."""

    module: str
    plugin: str
    name: str
    hints: tuple[str, ...]
    reason: str
    check: Callable[[str], bool] | None = None
    exact: bool = False
    spaced: bool = False


def _plugin(
    module: str,
    plugin: str,
    name: str,
    hints: str,
    reason: str,
    check: Callable[[str], bool] | None = None,
    *,
    exact: bool = False,
    spaced: bool = False,
) -> Plugin:
    return Plugin(module, plugin, name, tuple(hints.split()), reason, check, exact, spaced)


PLUGINS: tuple[Plugin, ...] = (
    _plugin(
        "artifactory",
        "ArtifactoryDetector",
        "Artifactory key",
        "AKC AP0 AP1 AP2 AP3 AP4 AP5 AP6 AP7 AP8 AP9 APA APB APC APD APE APF",
        "letters of one case are words",
        looks_random,
        exact=True,
    ),
    _plugin(
        "aws",
        "AWSKeyDetector",
        "AWS key",
        "A3T AKIA ASIA ABIA ACCA aws AWS Aws",
        "ids of keys, and keys named after aws",
        exact=True,
    ),
    _plugin(
        "cloudant",
        "CloudantDetector",
        "Cloudant key",
        "cloudant Cloudant CLOUDANT",
        "needs its name before it",
        spaced=True,
    ),
    _plugin(
        "discord",
        "DiscordBotTokenDetector",
        "Discord token",
        ".",
        "dotted names are as long",
        looks_random,
        exact=True,
    ),
    _plugin(
        "github_token",
        "GitHubTokenDetector",
        "GitHub token",
        "ghp_ gho_ ghu_ ghs_ ghr_",
        "all but the fine-grained",
    ),
    _plugin("gitlab_token", "GitLabTokenDetector", "GitLab token", "gl GR1348941", "all kinds"),
    _plugin(
        "ibm_cloud_iam",
        "IbmCloudIamDetector",
        "IBM Cloud key",
        "ibm_ IBM_ ibm- iam_ IAM_",
        "needs its name before it",
        looks_random,
        spaced=True,
    ),
    _plugin(
        "ibm_cos_hmac",
        "IbmCosHmacDetector",
        "IBM storage key",
        "cos_ COS_ ibm_ IBM_ cos- ibm-",
        "needs its name before it",
        spaced=True,
    ),
    _plugin(
        "mailchimp",
        "MailchimpDetector",
        "Mailchimp key",
        "-us",
        "ends in its data centre",
        exact=True,
    ),
    _plugin("sendgrid", "SendGridDetector", "SendGrid key", "SG.", "three parts of fixed length"),
    _plugin(
        "softlayer",
        "SoftlayerDetector",
        "SoftLayer key",
        "sl_ SL_ softlayer SoftLayer SOFTLAYER",
        "needs its name before it",
        spaced=True,
    ),
    _plugin("square_oauth", "SquareOAuthDetector", "Square secret", "sq0csp-", "its prefix tells"),
    _plugin(
        "twilio",
        "TwilioKeyDetector",
        "Twilio key",
        "AC SK",
        "no edges in the library's row, so we ask for digits",
        has_digits_and_letters,
        exact=True,
    ),
)

LEFT_OUT: dict[str, str] = {
    "azure_storage_key": "our row knows more names",
    "basic_auth": "quadratic; secrets.py has one with a bound",
    "high_entropy_strings": "takes hashes, UUIDs and pictures for secrets",
    "ip_public": "an address is no secret",
    "jwt": "quadratic, and a row of ours",
    "keyword": "takes code about passwords for passwords; secrets.py looks at what is assigned",
    "npm": "quadratic, and a row of ours",
    "openai": "quadratic, and a row of ours",
    "private_key": "takes a line that speaks of keys for a key; secrets.py wants to see the key",
    "pypi_token": "a row of ours",
    "slack": "rows of ours",
    "stripe": "a row of ours; the library's leaves the end of longer keys",
    "telegram_token": "takes timestamps with hashes for tokens, and a row of ours",
}
"""Plugins of detect-secrets that are not used, and why. A test compares with what the library
has."""
