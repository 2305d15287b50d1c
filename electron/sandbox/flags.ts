import type { SandboxOptions } from './server.ts';
import { parseWeather, weatherKinds } from './weather.ts';

/** A flag of `cordon sandbox`, in the form that the command-line parser takes. */
export interface SandboxFlag {
  /** Such as `--port <number>`. */
  readonly flags: string;
  readonly description: string;
  /** May be given several times; its value is a list. */
  readonly repeat: boolean;
}

const flag = (flags: string, description: string, repeat = false): SandboxFlag => ({ flags, description, repeat });

export const sandboxFlags: readonly SandboxFlag[] = [
  flag('--port <number>', 'Port on the loopback address; 0 takes any free one (default 0)'),
  flag('--computers <number>', 'Size of the tenant (default 2000, at most 500000)'),
  flag('--seed <text>', 'Same seed, same tenant (default "cordon")'),
  flag('--budget <calls>', 'Calls per window (default 3000)'),
  flag('--window <seconds>', 'Length of the budget window (default 3600)'),
  flag('--agent-delay <ms>', 'How long agents take to answer, on average (default 4000)'),
  flag(
    '--weather <rule>',
    `What goes wrong, as METHOD PATH=EFFECT[:VALUE][,times:N][,after:N][,p:0.5]; effects: ${weatherKinds.join(', ')}`,
    true,
  ),
  flag('--client-id <id>', 'Client ID to accept'),
];

/** Values as a command-line parser gives them: text or, for `weather`, a list of texts. */
export interface RawSandboxFlags {
  readonly port?: string | undefined;
  readonly computers?: string | undefined;
  readonly seed?: string | undefined;
  readonly budget?: string | undefined;
  readonly window?: string | undefined;
  readonly agentDelay?: string | undefined;
  readonly weather?: readonly string[] | undefined;
  readonly clientId?: string | undefined;
}

/** Checks the flags of `cordon sandbox`. Throws `TypeError` with a sentence that names the flag. */
export function sandboxOptionsFrom(raw: RawSandboxFlags): SandboxOptions {
  return {
    port: whole('--port', raw.port, 0, 65_535) ?? 0,
    computers: whole('--computers', raw.computers, 1, 500_000),
    seed: raw.seed,
    budget: whole('--budget', raw.budget, 0, 1_000_000_000),
    windowSeconds: whole('--window', raw.window, 1, 86_400),
    agentDelayMs: whole('--agent-delay', raw.agentDelay, 0, 86_400_000),
    weather: raw.weather?.map(parseWeather),
    clientId: raw.clientId,
  };
}

function whole(name: string, text: string | undefined, from: number, to: number): number | undefined {
  if (text === undefined) return undefined;
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= from && number <= to))
    throw new TypeError(`${name} must be a whole number from ${from} to ${to}, not "${text}".`);
  return number;
}
