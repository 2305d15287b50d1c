/** What must never be shown or written down, and how it is masked: the one table for results, the incident log and the program's own log. */
import { maskedCode } from '#shared/commands/result.ts';

/** Compared without case, `_` and `-`. */
const secretNames: ReadonlySet<string> = new Set([
  'unlockcode',
  'apikey',
  'apitoken',
  'authorization',
  'proxyauthorization',
  'cookie',
  'setcookie',
  'password',
  'passphrase',
  'secret',
]);

const deepest = 40;

/**
 * A copy of any value in which everything that stands under a secret's name is masked, and each of the `secrets`
 * wherever it appears in a text. Empty values stay, so that "there is none" remains readable.
 */
export function redact<T>(value: T, secrets: readonly string[] = []): T {
  const patterns = secrets.filter((secret) => secret !== '').map(occurrences);
  // The copy has the form of the original: only texts differ.
  return copy(value, (text) => maskIn(text, patterns), 0) as T;
}

/** Masks each of the secrets in a text. */
export function redactText(text: string, secrets: readonly string[]): string {
  return maskIn(text, secrets.filter((secret) => secret !== '').map(occurrences));
}

const assignment = /((?:unlock[_-]?code|api[_-]?key)\s*(?:=|\s)\s*)("(?:\\.|[^"\\])*"?|'[^']*'?|`[^`]*`?|\S+)/gi;

/** A typed command line without the codes in it: what may be kept as history. */
export function redactLine(line: string): string {
  return line.replace(assignment, (_all, name: string) => name + maskedCode);
}

export function isSecretName(name: string): boolean {
  return secretNames.has(name.replace(/[-_]/g, '').toLowerCase());
}

function copy(value: unknown, text: (value: string) => string, depth: number): unknown {
  if (typeof value === 'string') return text(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > deepest) return '[too deep]';
  if (Array.isArray(value)) return value.map((entry: unknown) => copy(entry, text, depth + 1));
  if (value instanceof Error) return copyError(value, text, depth);
  if (Object.getPrototypeOf(value) !== Object.prototype && Object.getPrototypeOf(value) !== null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, field(name, entry, text, depth)]));
}

function field(name: string, value: unknown, text: (value: string) => string, depth: number): unknown {
  const empty = value === null || value === undefined || value === '';
  return isSecretName(name) && !empty ? maskedCode : copy(value, text, depth + 1);
}

function copyError(error: Error, text: (value: string) => string, depth: number): unknown {
  const own = copy({ ...error }, text, depth + 1);
  return { ...(own as object), name: error.name, message: text(error.message), stack: text(error.stack ?? '') };
}

/** Short secrets only as whole words: masking every `a` of a sentence would hide the sentence. */
function occurrences(secret: string): RegExp {
  const literal = RegExp.escape(secret);
  return secret.length < 4
    ? new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, 'gu')
    : new RegExp(literal, 'gu');
}

function maskIn(text: string, patterns: readonly RegExp[]): string {
  return patterns.reduce((masked, pattern) => masked.replace(pattern, maskedCode), text);
}
