/** slowhttptest against a forwarding server in a process of its own, with a large and a small answer behind it. */
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

import { startInstance } from '../scene.ts';
import { startForwarderProcess, type ForwarderProcess } from './forwarder-process.ts';

export const slowKinds = ['headers', 'body', 'read'] as const;
export type SlowKind = (typeof slowKinds)[number];

export interface SlowReport {
  readonly kind: SlowKind;
  /** Whether each look at the server in between was answered within 5 s. */
  readonly available: boolean;
  /** Connections that the attacker had opened, those still open when it stopped, and those that were closed on it. */
  readonly opened: number;
  readonly left: number;
  readonly closed: number;
  readonly seconds: number;
}

export interface SlowRun {
  readonly reports: readonly SlowReport[];
  /** Descriptors beyond those at rest, after the attackers have left. */
  readonly leaked: number;
}

interface Attack {
  readonly connections: number;
  readonly seconds: number;
}

/** All attacks at once, each with so many connections; they end early when no connection is left. */
export async function attackSlowly(attack: Attack, kinds: readonly SlowKind[] = slowKinds): Promise<SlowRun> {
  const large = Buffer.alloc(4 << 20, 'x');
  const instance = await startInstance((request, response) => {
    request.resume().once('end', () => response.end(request.url === '/large' ? large : 'small'));
  });
  const forwarder = await startForwarderProcess([{ name: 'slow', listenPort: instance.port }]);
  const rest = forwarder.openFiles();
  try {
    const reports = await Promise.all(kinds.map((kind) => attackOnce(forwarder, kind, attack)));
    return { reports, leaked: await leftOpen(forwarder, rest) };
  } finally {
    await forwarder.stop();
    await instance.stop();
  }
}

/** Up to two kept connections to the instance are no leak. */
async function leftOpen(forwarder: ForwarderProcess, rest: number): Promise<number> {
  const end = performance.now() + 12_000;
  while (performance.now() < end && forwarder.openFiles() - rest > 2) await sleep(50);
  return Math.max(0, forwarder.openFiles() - rest - 2);
}

const ways: Readonly<Record<SlowKind, readonly string[]>> = {
  headers: ['-H', '-i', '1'],
  // More than it will ever send, in pieces below any rate.
  body: ['-B', '-i', '1', '-s', '1000000', '-x', '8'],
  read: ['-X', '-w', '10', '-y', '20', '-n', '1', '-z', '5', '-k', '1'],
};

async function attackOnce({ port }: ForwarderProcess, kind: SlowKind, attack: Attack): Promise<SlowReport> {
  const path = kind === 'read' ? 'large' : 'small';
  const url = `https://localhost:${port}/instance/execute/slow/${path}`;
  const { connections, seconds } = attack;
  const shape = ['-c', String(connections), '-r', String(connections), '-l', String(seconds), '-p', '5', '-u', url];
  const began = performance.now();
  const output = await outputOf('slowhttptest', [...ways[kind], ...shape]);
  return { kind, ...lastStatus(output), seconds: (performance.now() - began) / 1000 };
}

function outputOf(command: string, args: readonly string[]): Promise<string> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part) => (output += part));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve(output));
  });
}

function lastStatus(output: string): Pick<SlowReport, 'available' | 'opened' | 'left' | 'closed'> {
  // eslint-disable-next-line no-control-regex -- colours of a terminal
  const plain = output.replaceAll(/\u001b\[[0-9;]*[A-Za-z]/g, '');
  const last = (name: string) =>
    Number([...plain.matchAll(new RegExp(`${name}:\\s+(\\d+)`, 'g'))].at(-1)?.[1] ?? Number.NaN);
  const answers = [...plain.matchAll(/service available:\s+(YES|NO)/g)].map((match) => match[1]);
  const [connected, closed] = [last('connected'), last('closed')];
  // The last status comes up to five seconds before the end.
  const left = /No open connections left/.test(plain) ? 0 : connected;
  return {
    available: answers.length > 0 && answers.every((answer) => answer === 'YES'),
    opened: connected + closed,
    left,
    closed,
  };
}
