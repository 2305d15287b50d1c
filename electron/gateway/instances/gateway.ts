import type { Gateway } from '#core/app/gateway.ts';
import { startInstances } from './console.ts';
import { openInstances } from './open.ts';

/** Instances and the forwarding server, as the hosts hand them to the console. */
export const gateway: Gateway = {
  open(parts) {
    const opened = openInstances(parts);
    return { ...opened, run: (running) => startInstances({ ...parts, ...running, opened }) };
  },
};
