/** The managed configuration file as it lies there: who could have written it, and whether it can be used. */
import { lstatSync, readFileSync, realpathSync, statSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';

import { CordonError } from '#shared/contract/errors.ts';
import { managedPolicySchema, type ManagedPolicy } from '#shared/model/managed.ts';

import { checkServerUrl } from '../api/url.ts';
import type { ManagedFile } from '#core/base/ports.ts';

export type ReadManaged =
  | { readonly kind: 'none' }
  | { readonly kind: 'usable'; readonly policy: ManagedPolicy }
  /** `problem` is a sentence that names the file. */
  | { readonly kind: 'broken'; readonly problem: string };

/** Far more than any policy needs. */
const mostBytes = 1_048_576;

/** Never throws: whatever is wrong is `broken`. A missing file is `none`, unless somebody named it. */
export function readManagedFile({ path, named }: ManagedFile, platform: string = process.platform): ReadManaged {
  const broken = (what: string): ReadManaged => ({ kind: 'broken', problem: `The file ${path} ${what}.` });
  try {
    const real = realpathSync(path);
    const unsafe = platform === 'win32' ? undefined : unsafeBecause(real);
    if (unsafe !== undefined) return broken(unsafe);
    const stat = statSync(real);
    if (!stat.isFile()) return broken('is no file');
    if (stat.size > mostBytes) return broken('has more than 1 MB');
    const read = parsePolicy(readFileSync(real, 'utf8'));
    return 'policy' in read ? { kind: 'usable', policy: read.policy } : broken(read.problem);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    if (isMissing(path, code)) return named ? broken('was named and is not there') : { kind: 'none' };
    return broken(`cannot be read (${code})`);
  }
}

/** Cheap to ask for: it changes when the file, or who may write it, does. */
export function stampOf(path: string): string {
  try {
    const { ino, size, mtimeMs, ctimeMs, mode, uid } = statSync(path);
    return [ino, size, mtimeMs, ctimeMs, mode, uid].join(' ');
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
  }
}

/** A link that leads nowhere is not the same as no file: somebody put it there. */
function isMissing(path: string, code: string): boolean {
  if (code !== 'ENOENT' && code !== 'ENOTDIR') return false;
  try {
    lstatSync(path);
    return false;
  } catch {
    return true;
  }
}

function unsafeBecause(real: string): string | undefined {
  const file = statSync(real);
  if (mayOthersWrite(file)) return 'can be changed by others: run chmod go-w on it';
  if (isStranger(file)) return 'belongs to neither root nor you';
  const folder = statSync(dirname(real));
  const isSticky = (folder.mode & 0o1000) !== 0;
  if ((mayOthersWrite(folder) && !isSticky) || isStranger(folder))
    return 'lies in a folder that others can change: run chmod go-w on the folder';
  return undefined;
}

function mayOthersWrite({ mode }: Stats): boolean {
  return (mode & 0o022) !== 0;
}

function isStranger({ uid }: Stats): boolean {
  return uid !== 0 && uid !== process.getuid?.();
}

function parsePolicy(text: string): { readonly policy: ManagedPolicy } | { readonly problem: string } {
  const json = parsedJson(text);
  if (json === undefined) return { problem: 'is no JSON' };
  const parsed = managedPolicySchema.safeParse(json);
  if (!parsed.success) return { problem: `cannot be used: ${problemOf(parsed.error.issues[0])}` };
  const { connections } = parsed.data;
  try {
    const servers = connections.servers?.map((server) => checkServerUrl(server).origin);
    return { policy: { ...parsed.data, connections: { ...connections, ...(servers !== undefined && { servers }) } } };
  } catch (error) {
    if (!(error instanceof CordonError)) throw error;
    return { problem: 'cannot be used: connections.servers must hold addresses such as https://api.example.com' };
  }
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly code: string;
  readonly keys?: readonly string[];
}

function problemOf(issue: Issue | undefined): string {
  const where = issue?.path.map(String).join('.') ?? '';
  if (issue?.code === 'unrecognized_keys')
    return `it knows no ${(issue.keys ?? []).map((key) => (where === '' ? key : `${where}.${key}`)).join(', ')}`;
  return where === '' ? 'it must be one object' : `${where} cannot have that value`;
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
