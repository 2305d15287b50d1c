/** The tenant and what became of it since the start. */
export interface World {
  settle(now: number): void;
  readonly computers: readonly Readonly<Record<string, unknown>>[];
}
import { random } from './tenant/random.ts';
export function createWorld(options: { seed: string; computers: number; agentDelayMs: number; start: number }): World {
  const r = random(options.seed, 'hosts');
  return {
    settle: () => {},
    computers: Array.from({ length: options.computers }, (_, index) => ({
      connector_guid: r.guid(),
      hostname: `${r.pick(['FIN', 'HR', 'ENG'])}-LT-${String(index).padStart(4, '0')}`,
      active: true,
      operating_system: 'Windows 10 (Build 19044.1466)',
      internal_ips: ['10.0.0.1'],
      external_ip: '198.51.100.1',
      last_seen: '2026-01-01T00:00:00Z',
      isolation: { available: true, status: 'not_isolated' },
    })),
  };
}
