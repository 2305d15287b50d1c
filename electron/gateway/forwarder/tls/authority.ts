/** Whose certificate the forwarding server shows: an imported one, else one of the local authority. */
import type { Clock } from '#core/base/ports.ts';
import { CordonError } from '#shared/contract/errors.ts';
import type { CertificateStatus } from '#shared/contract/instances.ts';

import type { Credentials } from '../types.ts';
import { authorityError, type Current, lookAtFiles, type Shown, statusOf } from './current.ts';
import { type AuthorityFiles, fileNames, openFiles, type TryLock } from './files.ts';
import { followFiles } from './follow-files.ts';
import { type ImportHint, importHints } from './hints.ts';
import { checkImport } from './imported.ts';
import { ensureLocal, type LocalContext, renewLocal } from './local.ts';
import { machineNames, type Names, privateNetworks, wantedNames, within } from './names.ts';
import { joinPair, type Pair } from './pem.ts';
import { isPublicChain } from './public.ts';

export interface AuthorityOptions {
  /** `<profile>/forwarder`. */
  readonly folder: string;
  readonly clock: Clock;
  random(bytes: number): Uint8Array;
  /** Names and addresses that the operator configured; asked again at every look. */
  hostnames(): readonly string[];
  /** This computer's own; the operating system's when left out. */
  machine?(): Names;
  /** `tryLockFile` of the store. */
  readonly tryLock: TryLock;
  /** What went wrong in the background. */
  onTrouble?(message: string, error?: unknown): void;
}

export interface AuthorityExport {
  readonly name: string;
  readonly mediaType: string;
  /** PEM text, or base64 of the DER form. */
  readonly content: string;
  readonly hints: readonly ImportHint[];
}

/** Errors are `bad_certificate`, `storage` and `disk_full`. Whoever opened it calls `stop`. */
export interface CertificateAuthority {
  /** Throws `bad_certificate` when there is none to show; `renew` and `import` help. */
  credentials(): Credentials;
  /** Throws as `credentials` does. */
  status(): CertificateStatus;
  /** Whether a public authority vouches for what is shown: only then may browsers be told to insist on TLS for ever. */
  isPublic(): boolean;
  exportAuthority(format: 'pem' | 'der'): Promise<AuthorityExport>;
  import(input: Credentials): Promise<CertificateStatus>;
  useLocal(): Promise<CertificateStatus>;
  renew(): Promise<CertificateStatus>;
  /** Looks at names, dates and files now, as it does every minute, and when another process changed the files. */
  refresh(): Promise<void>;
  /** Called with the new ones whenever other credentials are to be shown. Returns the way to stop listening. */
  onChange(listener: (credentials: Credentials) => void): () => void;
  /** The certificate of the local authority, for others to read. */
  readonly authorityPath: string;
  stop(): Promise<void>;
}

const lookEveryMs = 60_000;

export async function openAuthority(options: AuthorityOptions): Promise<CertificateAuthority> {
  const { clock } = options;
  const files = openFiles(options.folder, options.tryLock, clock);
  const context = () => contextOf(options, files);
  const inTurn = createTurns();
  const listeners = new Set<(credentials: Credentials) => void>();
  let current: Current = await lookAtFiles(context());
  /** It is asked for with every change of an instance's health. */
  let judged: { readonly of: Current; readonly isPublic: boolean } | undefined;

  async function look(): Promise<void> {
    const before = current;
    current = await lookAtFiles(context());
    if (current.kind === 'failed' || isSame(before, current)) return;
    for (const listener of listeners) listener(credentialsOf(current.pair));
  }

  function shown(): Shown {
    if (current.kind === 'failed') throw current.error;
    return current;
  }

  function isPublic(): boolean {
    if (judged?.of !== current)
      judged = { of: current, isPublic: current.kind === 'imported' && isPublicChain(current.pair.chain) };
    return judged.isPublic;
  }

  function status(): CertificateStatus {
    return statusOf(shown(), context(), options.hostnames());
  }

  /** Changes the files, then shows what they say. */
  function change(work: () => Promise<unknown>): Promise<CertificateStatus> {
    return inTurn(async () => {
      await work();
      await look();
      return status();
    });
  }

  async function renew(): Promise<void> {
    if (current.kind === 'imported') {
      const fix = 'Import a newer one, or go back to a certificate of the local authority.';
      throw new CordonError('bad_certificate', 'An imported certificate cannot be renewed here.', { fix });
    }
    await renewLocal(context());
  }

  async function importPair(input: Credentials): Promise<CertificateStatus> {
    const checked = checkImport(input, clock.now());
    return change(() => files.locked(async () => files.write(fileNames.imported, joinPair(checked))));
  }

  function onChange(listener: (credentials: Credentials) => void): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  const stopWatching = watch(options, () => inTurn(look));
  return {
    credentials: () => credentialsOf(shown().pair),
    status,
    isPublic,
    exportAuthority: (format) => inTurn(() => exportOf(context(), format)),
    import: importPair,
    useLocal: () => change(() => files.locked(async () => files.remove(fileNames.imported))),
    renew: () => change(renew),
    refresh: () => inTurn(look),
    onChange,
    authorityPath: files.path(fileNames.authorityCopy),
    stop: async () => {
      await stopWatching();
      await inTurn(async () => {});
    },
  };
}

/** Looks every minute, and when another process changed the files; a trouble is told once, not every time. */
function watch(options: AuthorityOptions, look: () => Promise<void>): () => Promise<void> {
  const stopping = new AbortController();
  let trouble = '';

  function tell(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (message !== trouble)
      options.onTrouble?.('The certificate of the forwarding server could not be looked after.', error);
    trouble = message;
  }

  async function lookAndTell(): Promise<void> {
    if (!stopping.signal.aborted) await look().then(() => (trouble = ''), tell);
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await options.clock.sleep(lookEveryMs, stopping.signal);
      await lookAndTell();
    }
  }

  // It ends only by being stopped, and the sleep tells so by rejecting.
  const running = run().catch(() => {});
  const unfollow = followFiles(options.folder, () => void lookAndTell());
  return () => {
    unfollow();
    stopping.abort();
    return running;
  };
}

async function exportOf(context: LocalContext, format: 'pem' | 'der'): Promise<AuthorityExport> {
  const local = await ensureLocal(context);
  if (local.authority === null) throw authorityError(local, context);
  const { certificate, chain } = local.authority;
  if (format === 'pem') {
    return { name: 'cordon-ca.pem', mediaType: 'application/x-pem-file', content: certificate, hints: importHints };
  }
  const content = chain[0].raw.toString('base64');
  return { name: 'cordon-ca.cer', mediaType: 'application/pkix-cert', content, hints: importHints };
}

/** Own addresses come and go: one outside the private ranges is no reason for a new authority unless it was asked for. */
function contextOf(options: AuthorityOptions, files: AuthorityFiles): LocalContext {
  const machine = options.machine?.() ?? machineNames();
  const configured = options.hostnames();
  const lasting = within(machine, { names: [], networks: privateNetworks }).inside.addresses;
  return {
    files,
    source: { now: options.clock.now(), random: (bytes) => options.random(bytes) },
    names: wantedNames(configured, machine),
    asked: wantedNames(configured, { hostnames: machine.hostnames, addresses: lasting }),
    host: machine.hostnames[0] ?? 'localhost',
  };
}

/** One after the other: two looks must not both find something to do. */
function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
}

function isSame(before: Current, now: Shown): boolean {
  return before.kind !== 'failed' && joinPair(before.pair) === joinPair(now.pair);
}

function credentialsOf({ certificate, key }: Pair): Credentials {
  return { certificate, key };
}
