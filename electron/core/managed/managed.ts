/** The managed configuration of this computer: the file, what last held, and what it makes of everything else. */
import { createHash } from 'node:crypto';

import { managedPolicySchema, nothingManaged, type ManagedPolicy, type ManagedView } from '#shared/model/managed.ts';
import type { Surface } from '#shared/model/incident.ts';

import { given } from '../given.ts';
import type { NewEntry } from '../incidents/types.ts';
import type { ManagedFile } from '../ports.ts';
import type { Database } from '../store/database.ts';
import {
  admitExport,
  admitServer,
  admittedConnection,
  admittedRules,
  admittedSettings,
  appliedConnection,
  appliedRules,
  refusal,
  type Held,
} from './held.ts';
import { readManagedFile, stampOf, type ReadManaged } from './read.ts';
import type { Managed } from './types.ts';

export interface ManagedOptions {
  /** Left out where a host looks for none. */
  readonly file: ManagedFile | undefined;
  /** `profile.db`: remembers what was told last, and the policy that held last. */
  readonly database: Database;
  readonly log: (entry: NewEntry) => void;
  readonly surface: Surface;
}

/** `digest` names what was told last, `policy` (JSON) is what held last. */
interface Remembered {
  readonly digest: string;
  readonly policy: string;
}

const emptyPolicy: ManagedPolicy = managedPolicySchema.parse({});

export function openManaged(options: ManagedOptions): Managed {
  const look = createLook(options);
  const held = (): Held | undefined => look().held;
  const whenHeld = <T>(otherwise: T, apply: (one: Held) => T): T => {
    const one = held();
    return one === undefined ? otherwise : apply(one);
  };
  return {
    view: () => whenHeld({ ...nothingManaged, path: options.file?.path ?? null }, viewOf),
    generation: () => look().digest,
    note: () => note(options, look()),
    settings: {
      applied: (stored) => whenHeld(stored, ({ policy }) => ({ ...stored, ...given(policy.settings) })),
      admitted: (change) => whenHeld(change, (one) => admittedSettings(one, change)),
    },
    guards: {
      applied: (stored) => whenHeld(stored, (one) => appliedRules(one, stored)),
      admitted: (stored, wanted) => whenHeld(wanted, (one) => admittedRules(one, stored, wanted)),
    },
    connections: {
      applied: (stored) => whenHeld(stored, (one) => appliedConnection(one, stored)),
      admitted: (input, before) => whenHeld(input, (one) => admittedConnection(one, input, before)),
      admit: ({ url, insecure }) =>
        whenHeld(undefined, ({ policy: { connections }, path }) => {
          if (insecure && connections.insecure === false) throw refusal('Trust any certificate', 'insecure', path);
          admitServer(connections.servers, url, path);
        }),
      admitExport: () => whenHeld(undefined, admitExport),
      readOnlyBecause: () => whenHeld(null, readOnlyBecause),
    },
  };
}

/** For profiles without such a file, as in tests. */
export const unmanaged: Managed = {
  view: () => nothingManaged,
  generation: () => 'none',
  note: () => undefined,
  settings: { applied: (stored) => stored, admitted: (change) => change },
  guards: { applied: (stored) => stored, admitted: (_stored, wanted) => wanted },
  connections: {
    applied: (stored) => stored,
    admitted: (input) => input,
    admit: () => undefined,
    admitExport: () => undefined,
    readOnlyBecause: () => null,
  },
};

interface Look {
  readonly digest: string;
  /** `undefined`: nothing is managed. */
  readonly held: Held | undefined;
}

/** Reads the file again only when its stamp changed: this is asked before every call. */
function createLook({ file, database }: ManagedOptions): () => Look {
  if (file === undefined) return () => ({ digest: 'none', held: undefined });
  let seen: { readonly stamp: string; readonly look: Look } | undefined;
  let lastGood: ManagedPolicy | undefined;
  return () => {
    const stamp = stampOf(file.path);
    if (seen?.stamp === stamp) return seen.look;
    const read = readManagedFile(file);
    if (read.kind === 'usable') lastGood = read.policy;
    const look = lookOf(read, file.path, () => lastGood ?? rememberedPolicy(database));
    seen = { stamp, look };
    return look;
  };
}

/** A file that cannot be used loosens nothing: what held last holds on. */
function lookOf(read: ReadManaged, path: string, last: () => ManagedPolicy): Look {
  if (read.kind === 'none') return { digest: 'none', held: undefined };
  if (read.kind === 'usable') {
    const digest = createHash('sha256').update(JSON.stringify(read.policy)).digest('hex');
    return { digest, held: { policy: read.policy, path, broken: null } };
  }
  return { digest: `broken: ${read.problem}`, held: { policy: last(), path, broken: read.problem } };
}

function remembered(database: Database): Remembered | undefined {
  return database.get<Remembered>('SELECT digest, policy FROM managed');
}

function rememberedPolicy(database: Database): ManagedPolicy {
  const row = remembered(database);
  const parsed = managedPolicySchema.safeParse(row === undefined ? {} : JSON.parse(row.policy));
  return parsed.success ? parsed.data : emptyPolicy;
}

/** One entry for each change, whichever process sees it first; entry and memory stand or fall together. */
function note({ database, log, surface }: ManagedOptions, { digest, held }: Look): void {
  if ((remembered(database)?.digest ?? 'none') === digest) return;
  database.transaction(
    () => {
      const before = remembered(database)?.digest ?? 'none';
      if (before === digest) return;
      const policy = JSON.stringify(held?.policy ?? emptyPolicy);
      database.run('INSERT OR REPLACE INTO managed (one, digest, policy) VALUES (1, ?, ?)', digest, policy);
      log(entryOf(before, held, surface));
    },
    { durable: true },
  );
}

function entryOf(before: string, held: Held | undefined, surface: Surface): NewEntry {
  const entry = (message: string): NewEntry => ({
    kind: 'managed.changed',
    surface,
    message,
    data: held === undefined ? null : { path: held.path, policy: held.policy },
  });
  if (held === undefined)
    return entry('Managed configuration taken away: nothing is set by an administrator any more.');
  if (held.broken !== null)
    return entry(
      `Managed configuration cannot be used. ${held.broken} What held last holds on, and every connection is read-only.`,
    );
  const verb = before === 'none' ? 'applied' : 'changed';
  return entry(
    `Managed configuration ${verb}: ${held.path} (${heldNames(held.policy).join(', ') || 'it holds nothing'}).`,
  );
}

/** `settings.theme`, `guards.largestJob`, … */
function heldNames(policy: ManagedPolicy): readonly string[] {
  return Object.entries(policy).flatMap(([part, fields]) =>
    Object.keys(given(fields)).map((name) => `${part}.${name}`),
  );
}

function viewOf({ policy, path, broken }: Held): ManagedView {
  const { servers, readOnly, insecure, exportKeys } = policy.connections;
  return {
    state: broken === null ? 'applied' : 'broken',
    path,
    problem: broken,
    settings: Object.keys(given(policy.settings)) as ManagedView['settings'], // the schema's own keys
    guards: Object.keys(given(policy.guards)) as ManagedView['guards'], // likewise
    connections: {
      servers: servers ?? null,
      readOnly: readOnly === true || broken !== null,
      verified: insecure === false,
      keysStay: exportKeys === false || broken !== null,
    },
  };
}

function readOnlyBecause({ policy, broken }: Held): string | null {
  if (broken !== null) return `${broken} Until it is repaired, nothing is changed`;
  return policy.connections.readOnly === true ? 'Your administrator made every connection read-only' : null;
}
