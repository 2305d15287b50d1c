/** What the options of `cordon job …` ask for. Throws `usage` with the option at fault. */
import type { JobAction, LeaseTerm } from '#shared/model/job.ts';
import { leaseHoursOf } from '#shared/model/lease.ts';
import { jobActionSchema, policyJobProducts } from '#shared/model/job-plan.ts';

import type { Invocation } from './argv.ts';
import { shown, usage } from './faults.ts';

type Sub = Invocation & { readonly kind: 'subcommand' };

/** `usualHours`: how long an isolation lasts when nothing is said, as the guard rules propose. */
export function jobActionOf(sub: Sub, usualHours: number | null): JobAction {
  const option = (name: string): string | undefined => sub.options.get(name)?.[0] ?? undefined;
  const kind = sub.spec.name.replace('job ', '');
  const policies = policyJobProducts.flatMap((product) => {
    const guid = option(product);
    return guid === undefined ? [] : [[product, guid] as const];
  });
  const given = {
    kind,
    reason: option('reason') ?? '',
    ...((kind === 'isolate' || kind === 'release') && { ticket: option('ticket') ?? null }),
    ...(kind === 'isolate' && { code: option('code') ?? 'generated', lease: leaseOf(sub, usualHours) }),
    ...(kind === 'move' && { group: option('group') ?? '' }),
    ...(kind === 'policies' && { policies: Object.fromEntries(policies) }),
  };
  const parsed = jobActionSchema.safeParse(given);
  // The schema has exactly the fields of the action.
  if (parsed.success) return parsed.data as JobAction;
  const [issue] = parsed.error.issues;
  const field = String(issue?.path[0] ?? 'reason');
  throw usage(`--${field} ${issue?.message ?? 'is missing'}`, `see "cordon help ${sub.spec.name}"`, field);
}

function leaseOf({ options }: Sub, usualHours: number | null): LeaseTerm {
  const given = options.get('lease')?.[0] ?? undefined;
  const hours = given === undefined ? usualHours : hoursOf(given);
  const auto = options.has('auto-release');
  if (auto && hours === null)
    throw usage('--auto-release needs a lease that ends', 'give --lease HOURS', 'auto-release');
  return { hours, auto };
}

function hoursOf(text: string): number | null {
  const hours = leaseHoursOf(text);
  if (hours !== undefined) return hours;
  throw usage(`--lease cannot be ${shown(text)}`, 'give hours or days, such as 24h or 7d, or none', 'lease');
}

export function stopShareOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const percent = Number(text.replace(/%$/, ''));
  if (text.trim() !== '' && percent >= 0 && percent <= 100) return percent / 100;
  throw usage(`--stop-share cannot be ${shown(text)}`, 'give a percentage from 0 to 100', 'stop-share');
}
