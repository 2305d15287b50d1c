import { readFileSync } from 'node:fs';

/** One process of this computer. A pid alone is not enough: the system gives it to another process later. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, as the system tells; empty where it cannot be told, and then the pid alone counts. */
  readonly started: string;
}

export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, started: startOf(process.pid) ?? '' };
}

/** A process that this one just started. */
export function identityOf(pid: number): ProcessIdentity {
  return { pid, started: startOf(pid) ?? '' };
}

/** Whether that very process still runs. */
export function isAlive(identity: ProcessIdentity): boolean {
  if (!exists(identity.pid)) return false;
  if (identity.started === '') return true;
  return (startOf(identity.pid) ?? identity.started) === identity.started;
}

function exists(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs, but belongs to someone else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Linux only: clock ticks since boot (proc_pid_stat(5), field 22) with the boot's own id. A zombie no longer counts. */
function startOf(pid: number): string | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in brackets and may hold anything, spaces and brackets too.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return 'ended';
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8);
    return `${boot}-${fields[19] ?? ''}`;
  } catch {
    return undefined;
  }
}
