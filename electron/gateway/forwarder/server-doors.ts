/** How many connections there may be, in all and from one address. */
import { addressGroup } from './access/addresses.ts';
import type { ServerLimits } from './types.ts';

export class Doors {
  #open = 0;
  readonly #byAddress = new Map<string, number>();

  /** `null`: no room. Else what to call, once, when the connection is gone. */
  enter(address: string, limits: ServerLimits): (() => void) | null {
    if (this.#open >= limits.connections) return null;
    // Loopback is one address for everything on this computer.
    const group = isLoopback(address) ? null : addressGroup(address);
    if (group !== null && (this.#byAddress.get(group) ?? 0) >= limits.connectionsPerAddress) return null;
    this.#open += 1;
    if (group !== null) this.#count(group, 1);
    return () => {
      this.#open -= 1;
      if (group !== null) this.#count(group, -1);
    };
  }

  #count(group: string, by: number): void {
    const count = (this.#byAddress.get(group) ?? 0) + by;
    if (count === 0) this.#byAddress.delete(group);
    else this.#byAddress.set(group, count);
  }
}

function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}
