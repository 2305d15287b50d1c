/** What an event says, in a sentence. */
import type { TrajectoryEvent } from './event.ts';
import { commandLineOf, textAt } from './record.ts';

/** `nameOf` gives the name of a file by its SHA-256, as the rest of the trajectory knows it. */
export function sentenceOf(event: TrajectoryEvent, nameOf: (sha256: string) => string | null): string {
  const file = event.fileName ?? (event.sha256 === null ? null : nameOf(event.sha256)) ?? 'A file';
  const parent = event.parentName ?? (event.parent === null ? null : nameOf(event.parent)) ?? 'an unknown process';
  if (event.isNetwork) return networkSentence(event, parent);
  const verb = verbs[event.shape];
  if (verb !== undefined) return withLine(event, `${file} ${verb} ${parent}`);
  return cloudSentence(event);
}

const verbs: Readonly<Partial<Record<TrajectoryEvent['shape'], string>>> = {
  create: 'was created by',
  execute: 'was started by',
  move: 'was moved by',
  open: 'was opened by',
};

function withLine({ record }: TrajectoryEvent, sentence: string): string {
  const line = commandLineOf(record);
  return line === null ? sentence : `${sentence}: ${line}`;
}

function networkSentence({ record, type, shape }: TrajectoryEvent, parent: string): string {
  const remote = endpointOf(record) ?? 'an unknown address';
  const url = textAt(record, 'network_info', 'dirty_url') ?? textAt(record, 'network_info', 'url');
  const protocol = textAt(record, 'network_info', 'nfm', 'protocol');
  const more = [protocol === null ? '' : ` over ${protocol}`, url === null ? '' : `: ${url}`].join('');
  const direction = textAt(record, 'network_info', 'nfm', 'direction')?.toLowerCase() ?? '';
  const head = shape === 'network' ? '' : `${type}: `;
  if (direction.startsWith('incoming')) return `${head}${remote} connected to ${parent}${more}`;
  // Events of DFC do not tell who began.
  const verb = direction.startsWith('outgoing') ? 'connected to' : 'and';
  const end = verb === 'and' ? ' exchanged data' : '';
  return `${head}${parent} ${verb} ${remote}${end}${more}`;
}

/** `address:port`; an unspecified address tells nothing. */
export function endpointOf(record: TrajectoryEvent['record']): string | null {
  const ip = textAt(record, 'network_info', 'remote_ip');
  if (ip === null || ip === '0.0.0.0' || ip === '::') return null;
  const port = textAt(record, 'network_info', 'remote_port');
  const shown = ip.includes(':') ? `[${ip}]` : ip;
  return port === null || port === '0' ? shown : `${shown}:${port}`;
}

function cloudSentence(event: TrajectoryEvent): string {
  const { record, type, fileName } = event;
  const detection = textAt(record, 'detection');
  const about =
    textAt(record, 'cloud_ioc', 'short_description') ??
    textAt(record, 'scan', 'description') ??
    textAt(record, 'fault_event_title') ??
    textAt(record, 'error', 'description');
  const parts = [detection, fileName === null ? null : detection === null ? fileName : `in ${fileName}`];
  const told = parts.filter((part) => part !== null).join(' ');
  const head = told === '' ? type : `${type}: ${told}`;
  return withLine(event, about === null ? head : `${head}${told === '' ? ': ' : ', '}${about}`);
}
