/** What a text was found to hold. Names of kinds only: they go into receipts and messages. */
export type SecretKind = 'private key' | 'access key' | 'token' | 'password' | 'card number';

interface SecretRule {
  readonly kind: SecretKind;
  readonly pattern: RegExp;
  /** Decides on what the pattern alone can't tell. */
  readonly holds?: (match: string) => boolean;
}

/**
 * Formats that vendors document for their keys, and the ways in which people write passwords and card numbers. Not secretlint, which was
 * tried: made for source files, it knows no card numbers, web tokens or passwords in prose, and takes about 1 ms a turn, this 4 to 25 us.
 * The vendors' formats follow its rules and those of gitleaks.
 */
const RULES: readonly SecretRule[] = [
  { kind: 'private key', pattern: /-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|$)/g },
  { kind: 'access key', pattern: /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b/g },
  { kind: 'access key', pattern: /\bsk-(?:(?:ant|proj|svcacct|admin|or|lf)-)?[A-Za-z0-9_-]{20,}/g, holds: hasDigitAndLetter },
  { kind: 'access key', pattern: /\b(?:[rs]k_(?:live|test)|whsec)_[A-Za-z0-9]{16,}/g },
  { kind: 'access key', pattern: /\bAIza[\w-]{35}/g },
  { kind: 'access key', pattern: /\bSG\.[\w-]{16,}\.[\w-]{16,}/g },
  { kind: 'token', pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{22,}|gl(?:pat|sa|ptt|rt)[-_][\w-]{20,})/g },
  { kind: 'token', pattern: /\bxox[abeoprs]-[\w-]{10,}|https:\/\/hooks\.slack\.com\/services\/[\w/-]{20,}/g },
  {
    kind: 'token',
    pattern: /\b(?:npm_[A-Za-z0-9]{36}|pypi-[\w-]{50,}|hf_[A-Za-z0-9]{30,}|dop_v1_[a-f0-9]{64}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}|ya29\.[\w-]{20,})/g,
  },
  { kind: 'token', pattern: /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/g },
  { kind: 'token', pattern: /(?<![\w-])\d{8,10}:[A-Za-z0-9_-]{35}(?![\w-])/g },
  { kind: 'token', pattern: /(?<=\bBearer\s+)[A-Za-z0-9+/._~-]{16,}=*/gi, holds: hasDigitAndLetter },
  {
    kind: 'password',
    pattern: /(?<=\b[a-z][a-z0-9+.-]{0,31}:\/\/[^\s/:@]{0,256}:)[^\s/@]{1,256}(?=@)/gi,
    holds: (match) => !/^(?:[$<{*]|%s)/.test(match),
  },
  {
    kind: 'password',
    pattern:
      /(?<=(?:\b(?:password|passwd|passphrase|passcode|pwd)|비밀번호|암호|密码|密碼|パスワード)["'`]?\s{0,3}(?:is|was|are|[:=：]|는|은|가|是|は)\s{0,3}["'`]?)[^\s"'`<>]{4,256}/gi,
    holds: (match) => /\d/.test(match) || /[\p{L}\p{N}][^\p{L}\p{N}.,;:!?)\]'’-]+[\p{L}\p{N}]/u.test(match),
  },
  {
    kind: 'access key',
    pattern:
      /(?<=\b(?:secret(?:[ _-]?access)?(?:[ _-]?key)?|api[ _-]?key|access[ _-]?key|client[ _-]?secret|(?:auth|access|refresh|bot|bearer)[ _-]?token|token)["'`]?\s{0,3}(?:is|[:=：]|는|은|是|は)\s{0,3}["'`]?)[\w+/=.~-]{12,512}/gi,
    holds: hasDigitAndLetter,
  },
  {
    kind: 'card number',
    pattern:
      /(?<![\w.-])(?:\d{4}([ -]?)\d{4}\1\d{4}\1\d{4}|\d{4}([ -]?)\d{6}\2\d{5}|\d{4}([ -]?)\d{6}\3\d{4}|\d{4}([ -])\d{4}\4\d{4}\4\d{4}\4\d{3})(?![\w-]|\.\d)/g,
    holds: isCardNumber,
  },
];

/** Nothing without one of these can hold a secret; most turns have none, and are done. */
const POSSIBLE = /\d{4}|-----BEGIN|[A-Za-z0-9_+/-]{16}|:\/\/|pass|pwd|비밀번호|암호|密码|密碼|パスワード/i;

export interface Masked {
  readonly text: string;
  /** One entry for each secret. */
  readonly found: readonly SecretKind[];
}

/** Puts `[masked card number]` and the like in the place of secrets. Pure; a masked text stays as it is. */
export function maskSecrets(text: string): Masked {
  if (!POSSIBLE.test(text)) return { text, found: [] };
  const found: SecretKind[] = [];
  let masked = text;
  for (const { kind, pattern, holds } of RULES) {
    masked = masked.replace(pattern, (match) => {
      if (match.startsWith('[masked ') || (holds !== undefined && !holds(match))) return match;
      found.push(kind);
      return `[masked ${kind}]`;
    });
  }
  return { text: masked, found };
}

function hasDigitAndLetter(match: string): boolean {
  return /\d/.test(match) && /[A-Za-z]/.test(match);
}

/** Luhn's check digit, and a first group that a card network gives out; so an ISBN, a phone's IMEI or a timestamp is none. */
function isCardNumber(match: string): boolean {
  const digits = match.replace(/\D/g, '');
  const prefix = Number(digits.slice(0, 4));
  const known =
    digits.length === 16
      ? digits.startsWith('4') ||
        (prefix >= 5100 && prefix <= 5599) ||
        (prefix >= 2221 && prefix <= 2720) ||
        prefix === 6011 ||
        (prefix >= 6440 && prefix <= 6599) ||
        (prefix >= 3528 && prefix <= 3589) ||
        digits.startsWith('62')
      : digits.length === 15
        ? /^3[47]/.test(digits)
        : digits.length === 14
          ? /^3(?:0[0-5]|[689])/.test(digits)
          : digits.startsWith('4') || digits.startsWith('62');
  if (!known || /^(\d)\1+$/.test(digits)) return false;
  let sum = 0;
  for (const [place, digit] of [...digits].reverse().entries()) {
    const value = Number(digit) * (place % 2 === 1 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}
