/** Whose certificate the forwarding server shows: an imported one, else one of the local authority. */
import type { Clock } from '#core/ports.ts';
import { CordonError } from '#shared/contract/errors.ts';
import type { CertificateStatus } from '#shared/contract/instances.ts';

import type { Credentials } from '../types.ts';
import { describeCertificate, spanOf, uncovered } from './describe.ts';
import { fileNames, openFiles, type TryLock } from './files.ts';
import { type ImportHint, importHints } from './hints.ts';
import { checkImport, dayOf } from './imported.ts';
import { ensureLocal, type Local, type LocalContext, localProblem, renewFix, renewLocal } from './local.ts';
import { machineNames, type Names, privateNetworks, wantedNames, within } from './names.ts';
import { joinPair, type Pair, splitPair } from './pem.ts';

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
  exportAuthority(format: 'pem' | 'der'): Promise<AuthorityExport>;
  import(input: Credentials): Promise<CertificateStatus>;
  useLocal(): Promise<CertificateStatus>;
  renew(): Promise<CertificateStatus>;
  /** Looks at names, dates and files now, as it does every minute by itself. */
  refresh(): Promise<void>;
  /** Called with the new ones whenever other credentials are to be shown. Returns the way to stop listening. */
  onChange(listener: (credentials: Credentials) => void): () => void;
  /** The certificate of the local authority, for others to read. */
  readonly authorityPath: string;
  stop(): Promise<void>;
}

type Current =
  | { readonly kind: 'imported'; readonly pair: Pair }
  | { readonly kind: 'local'; readonly pair: Pair; readonly local: Local; readonly note: string | null }
  | { readonly kind: 'failed'; readonly error: CordonError };

const lookEveryMs = 60_000;
const soonMs = 30 * 86_400_000;

export async function openAuthority(options: AuthorityOptions): Promise<CertificateAuthority> {
  const { clock } = options;
  const files = openFiles(options.folder, options.tryLock, clock);
  const listeners = new Set<(credentials: Credentials) => void>();
  const stopping = new AbortController();
  let current: Current = { kind: 'failed', error: new CordonError('internal') };
  let trouble = '';
  /** One after the other: two looks must not both find something to do. */
  let last: Promise<unknown> = Promise.resolve();

  function context(): LocalContext {
    const machine = options.machine?.() ?? machineNames();
    const configured = options.hostnames();
    const lasting = within(machine, { names: [], networks: privateNetworks }).inside.addresses;
    return {
      files,
      source: { now: clock.now(), random: (bytes) => options.random(bytes) },
      names: wantedNames(configured, machine),
      asked: wantedNames(configured, { hostnames: machine.hostnames, addresses: lasting }),
      host: machine.hostnames[0] ?? 'localhost',
    };
  }

  async function look(): Promise<void> {
    const imported = readImported();
    if (imported.pair !== null) return show({ kind: 'imported', pair: imported.pair });
    const local = await ensureLocal(context());
    show(currentOf(local, imported.note));
  }

  function readImported(): { readonly pair: Pair | null; readonly note: string | null } {
    const text = files.read(fileNames.imported);
    if (text === null) return { pair: null, note: null };
    const pair = text === 'open' ? 'is open to other users' : splitPair(text);
    if (typeof pair !== 'string') return { pair, note: null };
    return {
      pair: null,
      note: `The imported certificate is not used: ${fileNames.imported} ${pair}. Import it again.`,
    };
  }

  function currentOf(local: Local, note: string | null): Current {
    if (local.server !== null) return { kind: 'local', pair: local.server, local, note };
    const problem = localProblem(local, context()) ?? 'There is no certificate to show.';
    return {
      kind: 'failed',
      error: new CordonError('bad_certificate', problem, { field: fileNames.authority, fix: renewFix }),
    };
  }

  function show(next: Current): void {
    const before = current;
    current = next;
    if (next.kind === 'failed') return;
    if (before.kind !== 'failed' && joinPair(before.pair) === joinPair(next.pair)) return;
    for (const listener of listeners) listener(credentialsOf(next.pair));
  }

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  }

  function shown(): Exclude<Current, { kind: 'failed' }> {
    if (current.kind === 'failed') throw current.error;
    return current;
  }

  function status(): CertificateStatus {
    const now = shown();
    const [leaf] = now.pair.chain;
    if (now.kind === 'imported') return describeCertificate('imported', leaf, null, importedProblem(now.pair));
    const problem = now.note ?? localProblem(now.local, context());
    return describeCertificate('local', leaf, now.local.authority?.chain[0] ?? null, problem);
  }

  function importedProblem({ chain }: Pair): string | null {
    const { begin, end } = spanOf(chain[0]);
    const now = clock.now();
    if (now >= end) return `The imported certificate ended on ${dayOf(end)}: import a renewed one.`;
    if (now < begin) return `The imported certificate is not valid before ${dayOf(begin)}.`;
    const missing = uncovered(chain[0], options.hostnames());
    if (missing.length > 0) return `The imported certificate does not name ${missing.join(', ')}.`;
    return end - now < soonMs ? `The imported certificate ends on ${dayOf(end)}: import a renewed one.` : null;
  }

  async function exportAuthority(format: 'pem' | 'der'): Promise<AuthorityExport> {
    const local = await inTurn(() => ensureLocal(context()));
    if (local.authority === null) {
      const problem = localProblem(local, context());
      throw new CordonError('bad_certificate', problem ?? undefined, { field: fileNames.authority, fix: renewFix });
    }
    const { certificate, chain } = local.authority;
    return format === 'pem'
      ? { name: 'cordon-ca.pem', mediaType: 'application/x-pem-file', content: certificate, hints: importHints }
      : {
          name: 'cordon-ca.cer',
          mediaType: 'application/pkix-cert',
          content: chain[0].raw.toString('base64'),
          hints: importHints,
        };
  }

  /** Changes the files, then shows what they say. */
  async function change(work: () => void | Promise<unknown>): Promise<CertificateStatus> {
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

  /** Once, not every minute. */
  function tell(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (message !== trouble)
      options.onTrouble?.('The certificate of the forwarding server could not be looked after.', error);
    trouble = message;
  }

  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      await clock.sleep(lookEveryMs, stopping.signal);
      await inTurn(look).then(() => (trouble = ''), tell);
    }
  }

  await inTurn(look);
  const watching = watch().catch(() => {});
  return {
    credentials: () => credentialsOf(shown().pair),
    status,
    exportAuthority,
    import: async (input) => {
      const checked = checkImport(input, clock.now());
      return change(() => files.locked(async () => files.write(fileNames.imported, joinPair(checked))));
    },
    useLocal: () => change(() => files.locked(async () => files.remove(fileNames.imported))),
    renew: () => change(renew),
    refresh: () => inTurn(look),
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    authorityPath: files.path(fileNames.authorityCopy),
    stop: async () => {
      stopping.abort();
      await watching;
      await last;
    },
  };
}

function credentialsOf({ certificate, key }: Pair): Credentials {
  return { certificate, key };
}
