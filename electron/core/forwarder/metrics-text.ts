/** The counters as Prometheus reads them (text format 0.0.4). */
import { durationBounds, type CounterDetails, type Durations } from './counters.ts';
import type { ForwarderCounters, InstanceCounters } from './types.ts';

export const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

export interface BuildInfo {
  readonly version: string;
  readonly node: string;
}

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [labels: Labels, value: number];

export function metricsText(counters: ForwarderCounters, details: CounterDetails, build: BuildInfo): string {
  const { connections, requests } = counters;
  const instances = Object.entries(counters.instances);
  const each = (value: (one: InstanceCounters) => number): Sample[] =>
    instances.map(([instance, one]) => [{ instance }, value(one)]);
  return [
    metric('cordon_build_info', 'gauge', 'What is running.', [[{ version: build.version, node: build.node }, 1]]),
    metric('cordon_start_time_seconds', 'gauge', 'Unix time of the start.', [[{}, counters.startedAt / 1000]]),
    metric('cordon_connections', 'gauge', 'Open connections of clients.', [[{}, connections.open]]),
    metric('cordon_connections_total', 'counter', 'Connections of clients.', [
      [{ result: 'accepted' }, connections.accepted],
      [{ result: 'refused' }, connections.refused],
    ]),
    metric('cordon_requests_running', 'gauge', 'Requests that run.', [[{}, requests.running]]),
    metric('cordon_requests_ended_total', 'counter', 'Requests, those that reached no instance included.', [
      [{}, requests.total],
    ]),
    metric('cordon_requests_total', 'counter', 'Requests by instance and class of status.', classes(instances)),
    metric(
      'cordon_failures_total',
      'counter',
      'Requests that the instance failed.',
      each((one) => one.failures),
    ),
    metric(
      'cordon_received_bytes_total',
      'counter',
      'Bytes of bodies from clients.',
      each((one) => one.received),
    ),
    metric(
      'cordon_sent_bytes_total',
      'counter',
      'Bytes of bodies to clients.',
      each((one) => one.sent),
    ),
    metric(
      'cordon_upstream_connections',
      'gauge',
      'Open connections to instances.',
      each((one) => one.upstream),
    ),
    metric(
      'cordon_refusals_total',
      'counter',
      'Requests that were refused or failed, by reason.',
      [...details.refusals].map(([reason, count]) => [{ reason }, count] as const),
    ),
    histogram('cordon_request_duration_seconds', 'From the head to the end of the answer.', details.durations),
  ].join('');
}

function classes(instances: readonly (readonly [string, InstanceCounters])[]): Sample[] {
  return instances.flatMap(([instance, { statuses }]) =>
    Object.entries(statuses).map(([status, count]): Sample => [{ instance, status }, count]),
  );
}

function metric(name: string, type: 'counter' | 'gauge', help: string, samples: readonly Sample[]): string {
  const lines = samples.map(([labels, value]) => `${name}${labelText(labels)} ${String(value)}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function histogram(name: string, help: string, all: ReadonlyMap<string, Durations>): string {
  const lines = [...all].map(([instance, durations]) => buckets(name, instance, durations));
  return `# HELP ${name} ${help}\n# TYPE ${name} histogram\n${lines.join('')}`;
}

function buckets(name: string, instance: string, { counts, seconds }: Durations): string {
  let sum = 0;
  const lines = counts.map((count, at) => {
    sum += count;
    const le = at < durationBounds.length ? String(durationBounds[at]) : '+Inf';
    return `${name}_bucket${labelText({ instance, le })} ${String(sum)}\n`;
  });
  const labels = labelText({ instance });
  return `${lines.join('')}${name}_sum${labels} ${String(seconds)}\n${name}_count${labels} ${String(sum)}\n`;
}

function labelText(labels: Labels): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return parts.length === 0 ? '' : `{${parts.join(',')}}`;
}

function escaped(value: string): string {
  return value
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll('\n', String.raw`\n`);
}
