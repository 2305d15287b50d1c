/** What a typed isolation is to be: who makes its code, and how long it is meant to last. */
import type { IsolationWish } from '#core/actions/commands/types.ts';
import type { Guards } from '#core/actions/guards/types.ts';
import type { RunOptions } from '#shared/commands/options.ts';
import type { KnownCommand } from '#shared/commands/parse.ts';
import type { Connection } from '#shared/model/connection.ts';
import type { LeaseTerm } from '#shared/model/job.ts';
import { leaseEnd, termWords } from '#shared/text/isolation.ts';

import type { Globals } from './globals.ts';
import { usage } from './faults.ts';

interface Line {
  readonly spec: Pick<KnownCommand, 'risk'>;
  readonly options: RunOptions;
  readonly globals: Pick<Globals, 'server'>;
}

/** `undefined` for every other command. Throws `usage` with the option at fault. */
export function wishOf(line: Line, { id }: Connection, guards: Pick<Guards, 'rules'>): IsolationWish | undefined {
  if (line.spec.risk !== 'isolate') return undefined;
  const { code = 'service' } = line.options;
  return {
    code,
    lease: line.globals.server === undefined ? leaseOf(line.options, guards.rules(id).leaseHours) : none(line),
  };
}

function leaseOf({ lease, autoRelease = false }: RunOptions, usualHours: number | null): LeaseTerm {
  const hours = lease === undefined ? usualHours : lease;
  if (autoRelease && hours === null)
    throw usage('--auto-release needs a lease that ends', 'give --lease 24h', 'auto-release');
  return { hours, auto: autoRelease };
}

/** Nobody would be reminded: the next process does not know the connection. */
function none({ options: { lease, autoRelease } }: Line): null {
  if (typeof lease === 'number' || autoRelease === true)
    throw usage(
      'A lease is kept for stored connections, and --server names none',
      'add the service with "cordon connections add", or leave the lease out',
      typeof lease === 'number' ? 'lease' : 'auto-release',
    );
  return null;
}

/** What is kept of an isolation here, in a sentence or two. */
export function keptWords({ code, lease }: IsolationWish): string {
  const sealed =
    code === 'generated'
      ? ' The unlock code is stored encrypted on this computer; show it with --reveal --reason.'
      : '';
  if (lease === null) return `No lease is kept. Release the computer manually.${sealed}`;
  const term = lease.hours === null ? '' : `${termWords(lease.hours)}; `;
  return `Lease: ${term}${leaseEnd(lease.hours !== null, lease.auto)}.${sealed}`;
}
