import { expect, test } from 'vitest';

import { Counters } from './counters.ts';
import { metricsText } from './metrics-text.ts';
import type { RequestRecord } from './types.ts';

const record: RequestRecord = {
  id: '1',
  at: 1_700_000_000_000,
  instance: 'a "b"',
  alias: null,
  protocol: 'HTTP/1.1',
  method: 'GET',
  path: '/',
  status: 200,
  client: '127.0.0.1',
  received: 3,
  sent: 4,
  endedBy: 'done',
  reason: null,
  source: 'instance',
  phases: { tls: null, access: 0, queue: 0, connect: 0, firstByte: 1, body: 1 },
};

test('counters are told as Prometheus reads them', () => {
  const counters = new Counters(() => 7);
  counters.accepted();
  for (const [status, seconds] of [
    [200, 0.007],
    [200, 0.02],
    [502, 1000],
  ] as const) {
    counters.began();
    counters.entered(record.instance ?? '');
    const isBad = status === 502;
    counters.ended(
      { ...record, status, endedBy: isBad ? 'instance' : 'done', reason: isBad ? 'incomplete' : null },
      seconds,
      true,
    );
  }
  const text = metricsText(counters.snapshot(), counters.details, { version: '1.2.3', node: '24' });
  const name = String.raw`instance="a \"b\""`;
  expect(text.split('\n').filter((line) => !line.startsWith('#'))).toEqual(
    expect.arrayContaining([
      'cordon_build_info{version="1.2.3",node="24"} 1',
      'cordon_connections 1',
      'cordon_requests_running 0',
      `cordon_requests_total{${name},status="2xx"} 2`,
      `cordon_requests_total{${name},status="5xx"} 1`,
      `cordon_failures_total{${name}} 1`,
      `cordon_sent_bytes_total{${name}} 12`,
      `cordon_upstream_connections{${name}} 7`,
      'cordon_refusals_total{reason="incomplete"} 1',
      `cordon_request_duration_seconds_bucket{${name},le="0.005"} 0`,
      `cordon_request_duration_seconds_bucket{${name},le="0.01"} 1`,
      `cordon_request_duration_seconds_bucket{${name},le="300"} 2`,
      `cordon_request_duration_seconds_bucket{${name},le="+Inf"} 3`,
      `cordon_request_duration_seconds_count{${name}} 3`,
    ]),
  );
  const lines = text.trimEnd().split('\n');
  expect(lines.every((line) => /^(# (HELP|TYPE) \w+ .+|\w+(\{.*\})? [0-9.e+-]+)$/.test(line))).toBe(true);
});
