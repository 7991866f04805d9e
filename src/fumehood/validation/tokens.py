"""The table of secrets that tell themselves by their form. Rows only; secrets.py is the engine.

Every expression is linear: what repeats is bounded, or cannot begin again inside itself. `hints` are texts one of which must be there
before the expression is tried at all. If an expression has a group, that is the secret, else the whole of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple


class Token(NamedTuple):
    """One kind of secret. `check` has the last word on what the expression found."""

    name: str
    hints: tuple[str, ...]
    regex: re.Pattern[str]
    reason: str
    check: Callable[[str], bool] | None = None


def looks_random(text: str) -> bool:
    """Letters of both cases and digits, in no order that a name has."""
    return any(map(str.isdigit, text)) and any(map(str.isupper, text)) and any(map(str.islower, text))


def has_digits_and_letters(text: str) -> bool:
    return any(map(str.isdigit, text)) and any(map(str.isalpha, text))


_FRONT = r"(?<![A-Za-z0-9_])"
_FRONT_DASH = r"(?<![A-Za-z0-9_\-])"
_BACK = r"(?![A-Za-z0-9])"


def _row(name: str, hints: str, regex: str, reason: str, check: Callable[[str], bool] | None = None) -> Token:
    return Token(name, tuple(hints.split()), re.compile(regex), reason, check)


TOKENS: tuple[Token, ...] = (
    _row("Anthropic key", "sk-ant-", _FRONT_DASH + r"sk-ant-[A-Za-z0-9_\-]{20,250}", "the library has no row", looks_random),
    _row(
        "OpenAI key", "sk-", _FRONT_DASH + r"sk-[A-Za-z0-9_\-]{20,250}", "the library's row is quadratic and knows old forms", looks_random
    ),
    _row("AWS key", "AKIA ASIA ABIA ACCA", _FRONT + r"(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}" + _BACK, "with edges, unlike the library's"),
    _row(
        "GitHub token", "github_pat_", _FRONT + r"github_pat_[A-Za-z0-9_]{22,255}", "fine-grained tokens; the library knows the older ones"
    ),
    _row(
        "Slack token",
        "xox xapp-",
        _FRONT_DASH + r"(?:xox[a-z]|xapp)-[A-Za-z0-9\-]{15,250}",
        "app and rotated tokens too",
        has_digits_and_letters,
    ),
    _row(
        "Slack webhook",
        "hooks.slack.com",
        r"hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9_/]{20,120}",
        "whoever has the address can post",
    ),
    _row("Stripe key", "k_live_ k_test_", _FRONT + r"[rs]k_(?:live|test)_[0-9A-Za-z]{16,250}", "test keys too, and of any length"),
    _row("Stripe webhook secret", "whsec_", _FRONT + r"whsec_[A-Za-z0-9+/=]{24,100}", "signs what Stripe sends"),
    _row("Hugging Face token", "hf_ api_org_", _FRONT + r"(?:hf|api_org)_[A-Za-z]{34,60}" + _BACK, "the library has no row"),
    _row("Hugging Face token", "hf_", _FRONT + r"hf_[A-Za-z0-9]{30,60}" + _BACK, "with digits", looks_random),
    _row("npm token", "npm_", _FRONT + r"npm_[A-Za-z0-9]{36}" + _BACK, "anywhere, not only in an .npmrc", has_digits_and_letters),
    _row("PyPI token", "pypi-AgE", _FRONT_DASH + r"pypi-AgE[A-Za-z0-9_\-]{50,1000}", "of any index"),
    _row("Google key", "AIza", _FRONT_DASH + r"AIza[0-9A-Za-z_\-]{35}(?![0-9A-Za-z_\-])", "the library has no row"),
    _row("Google token", "ya29.", _FRONT + r"ya29\.[0-9A-Za-z_\-]{20,1000}", "an OAuth access token"),
    _row("Google secret", "GOCSPX-", _FRONT + r"GOCSPX-[A-Za-z0-9_\-]{28}", "an OAuth client's secret"),
    _row(
        "JWT",
        "eyJ",
        _FRONT_DASH + r"eyJ[A-Za-z0-9_\-]{8,4000}={0,2}\.eyJ[A-Za-z0-9_\-]{4,8000}={0,2}\.[A-Za-z0-9_\-]{16,2000}",
        "the library's row is quadratic",
    ),
    _row(
        "Azure key",
        "AccountKey= SharedAccessKey=",
        r"(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{40,100}={0,2})",
        "in a connection string",
    ),
    _row("Azure signature", "sig=", r"[?&]sig=([A-Za-z0-9%+/]{40,120}={0,2})", "a shared access signature in an address", looks_random),
    _row("Azure secret", "8Q~ 7Q~", r"(?<![A-Za-z0-9_~.\-])[A-Za-z0-9_~.\-]{3}[78]Q~[A-Za-z0-9_~.\-]{31,34}", "an application's secret"),
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
    _row("Teams webhook", "webhook.office.com", r"webhook\.office\.com/webhookb2/[A-Za-z0-9@\-/]{60,300}", "whoever has it can post"),
    _row("DigitalOcean token", "_v1_", _FRONT + r"do[opr]_v1_[a-f0-9]{64}", "the library has no row"),
    _row("Databricks token", "dapi", _FRONT + r"dapi[0-9a-f]{32}(?:-\d)?" + _BACK, "the library has no row"),
    _row("Shopify token", "shpat_ shpca_ shppa_ shpss_", _FRONT + r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}" + _BACK, "the library has no row"),
    _row("Vault token", "hvs. hvb. hvr.", _FRONT + r"hv[sbr]\.[A-Za-z0-9_\-]{24,500}", "the library has no row", looks_random),
    _row("Docker token", "dckr_pat_", _FRONT + r"dckr_pat_[A-Za-z0-9_\-]{27}", "the library has no row"),
    _row("Postman key", "PMAK-", _FRONT + r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}", "the library has no row"),
    _row("Linear key", "lin_api_", _FRONT + r"lin_api_[A-Za-z0-9]{40}", "the library has no row"),
    _row(
        "Notion token",
        "ntn_ secret_",
        _FRONT + r"(?:ntn_[A-Za-z0-9]{40,60}|secret_[A-Za-z0-9]{43})" + _BACK,
        "the library has no row",
        looks_random,
    ),
    _row("Groq key", "gsk_", _FRONT + r"gsk_[A-Za-z0-9]{48,60}" + _BACK, "the library has no row", looks_random),
    _row("xAI key", "xai-", _FRONT_DASH + r"xai-[A-Za-z0-9]{70,90}" + _BACK, "the library has no row", looks_random),
    _row("Perplexity key", "pplx-", _FRONT_DASH + r"pplx-[A-Za-z0-9]{40,60}" + _BACK, "the library has no row", has_digits_and_letters),
    _row("Replicate token", "r8_", _FRONT + r"r8_[A-Za-z0-9]{37}" + _BACK, "the library has no row", looks_random),
    _row(
        "Grafana token",
        "glsa_ glc_",
        _FRONT + r"(?:glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|glc_[A-Za-z0-9+/]{32,400}={0,2})",
        "no row",
        looks_random,
    ),
    _row("New Relic key", "NRAK-", _FRONT + r"NRAK-[A-Z0-9]{27}" + _BACK, "the library has no row"),
    _row("Sentry token", "sntrys_ sntryu_", _FRONT + r"sntry[su]_[A-Za-z0-9+/=_]{40,400}", "the library has no row"),
    _row("Supabase token", "sbp_ sb_secret_", _FRONT + r"(?:sbp_[a-f0-9]{40}|sb_secret_[A-Za-z0-9_\-]{20,60})", "the library has no row"),
    _row("Figma token", "figd_", _FRONT + r"figd_[A-Za-z0-9_\-]{35,60}", "the library has no row", looks_random),
    _row("Heroku key", "HRKU-", _FRONT + r"HRKU-[A-Za-z0-9_\-]{36,70}", "the library has no row"),
    _row("Doppler token", "dp.pt. dp.st.", _FRONT + r"dp\.(?:pt|st)\.[A-Za-z0-9._\-]{40,70}", "the library has no row"),
    _row("Terraform token", ".atlasv1.", _FRONT + r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_\-]{60,70}", "the library has no row"),
    _row("Airtable token", "pat", _FRONT + r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}" + _BACK, "the library has no row"),
    _row("age key", "AGE-SECRET-KEY-", r"AGE-SECRET-KEY-1[0-9A-Z]{50,70}", "decrypts files"),
    _row(
        "bearer token",
        "earer  EARER ",
        r"(?i:\bbearer)[ ]{1,3}([A-Za-z0-9._~+/\-]{16,4000}={0,2})",
        "of any kind, in a header",
        has_digits_and_letters,
    ),
    _row(
        "basic authentication",
        "asic  ASIC ",
        r"(?i:\bbasic)[ ]{1,3}([A-Za-z0-9+/]{12,400}={0,2})(?![A-Za-z0-9])",
        "name and password, in a header",
        looks_random,
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


def _plugin(module: str, plugin: str, name: str, hints: str, reason: str, check: Callable[[str], bool] | None = None) -> Plugin:
    return Plugin(module, plugin, name, tuple(hints.split()), reason, check)


PLUGINS: tuple[Plugin, ...] = (
    _plugin("artifactory", "ArtifactoryDetector", "Artifactory key", "AKC AP", "letters of one case are words", looks_random),
    _plugin("aws", "AWSKeyDetector", "AWS key", "A3T AKIA ASIA ABIA ACCA aws AWS Aws", "ids of keys, and keys named after aws"),
    _plugin("cloudant", "CloudantDetector", "Cloudant key", "cloudant Cloudant CLOUDANT", "needs its name before it"),
    _plugin("discord", "DiscordBotTokenDetector", "Discord token", ".", "dotted names are as long", looks_random),
    _plugin("github_token", "GitHubTokenDetector", "GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", "all but the fine-grained"),
    _plugin("gitlab_token", "GitLabTokenDetector", "GitLab token", "gl GR1348941", "all kinds"),
    _plugin(
        "ibm_cloud_iam",
        "IbmCloudIamDetector",
        "IBM Cloud key",
        "key KEY Key pass PASS Pass token TOKEN Token",
        "needs its name before it",
        looks_random,
    ),
    _plugin("ibm_cos_hmac", "IbmCosHmacDetector", "IBM storage key", "secret SECRET Secret", "needs its name before it"),
    _plugin("mailchimp", "MailchimpDetector", "Mailchimp key", "-us", "ends in its data centre"),
    _plugin("sendgrid", "SendGridDetector", "SendGrid key", "SG.", "three parts of fixed length"),
    _plugin("softlayer", "SoftlayerDetector", "SoftLayer key", "sl_ SL_ softlayer SoftLayer SOFTLAYER", "needs its name before it"),
    _plugin("square_oauth", "SquareOAuthDetector", "Square secret", "sq0csp-", "its prefix tells"),
    _plugin(
        "twilio", "TwilioKeyDetector", "Twilio key", "AC SK", "no edges in the library's row, so we ask for digits", has_digits_and_letters
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
"""Plugins of detect-secrets that are not used, and why. A test compares with what the library has."""
