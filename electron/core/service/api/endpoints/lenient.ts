/**
 * Reads a record that is not as documented: one odd record must not hide a thousand good ones. Every field but the id may be
 * missing or of another kind; it is read as what it says (`"5"` for 5), or left out. The record says which fields were odd,
 * and keeps its text. Nothing is made up: a list or a state that is missing stays an error.
 */
import { stringifyExact } from '#shared/model/exact-json.ts';
import { oddKey, type Odd } from '#shared/model/odd.ts';

/** What a schema of `shared/model` can do; named here so that no command loads schemas that it does not need. */
export interface Shape<T> {
  safeParse(
    value: unknown,
  ):
    | { readonly success: true; readonly data: T }
    | { readonly success: false; readonly error: { readonly issues: readonly Issue[] } };
}

export interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly code?: string | undefined;
  /** The kind that is documented. */
  readonly expected?: string | undefined;
}

type Path = readonly PropertyKey[];
type Members = Record<PropertyKey, unknown>;

/** What a record is about, and how things stand: without it there is nothing to show. */
const needed: ReadonlySet<PropertyKey> = new Set(['connector_guid', 'guid', 'sha256', 'status']);
/** Each round mends what the one before uncovered: a list, its elements, their members. */
const mostRounds = 6;
/** Deeper than anything that is documented, and far from where writing would end with an overflow. */
const mostLevels = 64;
const mostRaw = 20_000;

/** The record, or the issue that keeps it from being read. */
export function readLeniently<T>(shape: Shape<T>, given: unknown): { readonly record: T } | { readonly issue: Issue } {
  const asIs = shape.safeParse(given);
  const deep = isDeep(given, mostLevels);
  if (asIs.success && !deep) return { record: asIs.data };
  const copy = copyOf(given, mostLevels);
  const fields = new Set<string>(deep ? ['(nested too deep)'] : []);
  for (let round = 0; round < mostRounds; round += 1) {
    const parsed = shape.safeParse(copy);
    if (parsed.success) return { record: withMark(parsed.data, given, fields) };
    // Backwards, so that an element that is taken out moves none that comes later.
    for (const issue of parsed.error.issues.toReversed()) {
      if (!mend(copy, issue)) return { issue };
      fields.add(String(issue.path[0]));
    }
  }
  return { issue: { path: [], message: 'it is odd in too many ways' } };
}

/** Whether it could be mended. */
function mend(record: unknown, issue: Issue): boolean {
  const { path } = issue;
  const name = path.at(-1);
  const parent = memberAt(record, path.slice(0, -1));
  // One of another kind is left out; if it has to be there, the next round comes here.
  const isNeeded = path.length === 1 && name !== undefined && needed.has(name);
  if (name === undefined || (isNeeded && parent?.[name] === undefined)) return false;
  if (parent === undefined || takeOut(parent, name)) return true;
  const said = isNeeded ? undefined : asSaid(parent[name], issue);
  if (said !== undefined) parent[name] = said;
  else if (parent[name] !== undefined) delete parent[name];
  else if (issue.expected === 'string') parent[name] = '';
  else return path.length > 1 && mend(record, { ...issue, path: path.slice(0, -1), expected: undefined });
  return true;
}

function takeOut(parent: unknown, index: PropertyKey): boolean {
  if (!Array.isArray(parent)) return false;
  parent.splice(Number(index), 1);
  return true;
}

/** `"5"` where a number is documented, and 5 where a text is. */
function asSaid(value: unknown, { expected, code }: Issue): unknown {
  if (expected === 'string' && (typeof value === 'number' || typeof value === 'bigint')) return String(value);
  if (expected === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  if (typeof value !== 'string' || !/^-?\d{1,19}$/.test(value)) return undefined;
  const isSafe = Number.isSafeInteger(Number(value));
  if (code === 'invalid_union') return isSafe ? Number(value) : BigInt(value);
  return expected === 'number' && isSafe ? Number(value) : undefined;
}

function memberAt(record: unknown, path: Path): Members | undefined {
  let found = record;
  for (const name of path) found = isObject(found) ? found[name] : undefined;
  return isObject(found) ? found : undefined;
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null;
}

function withMark<T>(record: T, given: unknown, fields: ReadonlySet<string>): T {
  const raw = stringifyExact(copyOf(given, mostLevels)).slice(0, mostRaw);
  const odd: Odd = { fields: [...fields].toSorted(), raw };
  return { ...record, [oddKey]: odd };
}

function isDeep(value: unknown, levels: number): boolean {
  if (!isObject(value)) return false;
  if (levels === 0) return true;
  for (const name in value) if (isObject(value[name]) && isDeep(value[name], levels - 1)) return true;
  return false;
}

/** It ends where it is too deep. */
function copyOf(value: unknown, levels: number): unknown {
  if (!isObject(value)) return value;
  if (levels === 0) return '(nested too deep to be shown)';
  if (Array.isArray(value)) return value.map((one) => copyOf(one, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, copyOf(one, levels - 1)]));
}
