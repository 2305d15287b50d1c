/** What is shown to clients now, and what there is to say about it. */
import { CordonError } from '#shared/contract/errors.ts';
import type { CertificateStatus } from '#shared/contract/instances.ts';

import { describeCertificate, spanOf, uncovered } from './describe.ts';
import { type AuthorityFiles, fileNames } from './files.ts';
import { dayOf } from './imported.ts';
import { ensureLocal, type Local, type LocalContext, localProblem, renewFix } from './local.ts';
import { type Pair, splitPair } from './pem.ts';

export type Shown =
  | { readonly kind: 'imported'; readonly pair: Pair }
  /** `note`: why an imported one is not shown. */
  | { readonly kind: 'local'; readonly pair: Pair; readonly local: Local; readonly note: string | null };

export type Current = Shown | { readonly kind: 'failed'; readonly error: CordonError };

const soonMs = 30 * 86_400_000;

/** Reads the files, and makes or renews what is due. */
export async function lookAtFiles(context: LocalContext): Promise<Current> {
  const imported = readImported(context.files);
  if (imported.pair !== null) return { kind: 'imported', pair: imported.pair };
  const local = await ensureLocal(context);
  if (local.server !== null) return { kind: 'local', pair: local.server, local, note: imported.note };
  return { kind: 'failed', error: authorityError(local, context) };
}

/** `configured`: names that the operator gave to the server. */
export function statusOf(shown: Shown, context: LocalContext, configured: readonly string[]): CertificateStatus {
  const [leaf] = shown.pair.chain;
  if (shown.kind === 'imported') {
    return describeCertificate('imported', leaf, null, importedProblem(shown.pair, configured, context.source.now));
  }
  const problem = shown.note ?? localProblem(shown.local, context);
  return describeCertificate('local', leaf, shown.local.authority?.chain[0] ?? null, problem);
}

export function authorityError(local: Local, context: LocalContext): CordonError {
  const problem = localProblem(local, context) ?? 'There is no certificate to show.';
  return new CordonError('bad_certificate', problem, { field: fileNames.authority, fix: renewFix });
}

function readImported(files: AuthorityFiles): { readonly pair: Pair | null; readonly note: string | null } {
  const text = files.read(fileNames.imported);
  if (text === null) return { pair: null, note: null };
  const pair = text === 'open' ? 'is open to other users' : splitPair(text);
  if (typeof pair !== 'string') return { pair, note: null };
  return { pair: null, note: `The imported certificate is not used: ${fileNames.imported} ${pair}. Import it again.` };
}

function importedProblem({ chain }: Pair, configured: readonly string[], now: number): string | null {
  const { begin, end } = spanOf(chain[0]);
  if (now >= end) return `The imported certificate ended on ${dayOf(end)}: import a renewed one.`;
  if (now < begin) return `The imported certificate is not valid before ${dayOf(begin)}.`;
  const missing = uncovered(chain[0], configured);
  if (missing.length > 0) return `The imported certificate does not name ${missing.join(', ')}.`;
  return end - now < soonMs ? `The imported certificate ends on ${dayOf(end)}: import a renewed one.` : null;
}
