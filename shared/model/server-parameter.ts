/** Server parameters: the rows of keys and values that operators know (route description, 1.1, 6.2). */

export type ServerParameters = Readonly<Record<string, string>>;

export const exposeAll = 'instance.execute.external';

export function exposeKey(name: string): string {
  return `${exposeAll}.${name}`;
}

/** Keys of the forwarding server itself; what they hold is {@link ForwardSettings}. */
export const forwardKeys = {
  enabled: 'forward.enabled',
  listen: 'forward.listen',
  lan: 'forward.lan',
  hostnames: 'forward.hostnames',
  trustedProxies: 'forward.trustedProxies',
  platformVersion: 'forward.platformVersion',
} as const;

export interface Exposure {
  readonly exposed: boolean;
  /** The key that decided; `null`: none is set, and nothing set means not exposed. */
  readonly key: string | null;
}

/** The instance's own key wins over the general one. */
export function exposureOf(parameters: ServerParameters, name: string): Exposure {
  const own = exposeKey(name);
  for (const key of [own, exposeAll]) {
    const value = Object.hasOwn(parameters, key) ? parameters[key] : undefined;
    if (value !== undefined) return { exposed: value === 'true', key };
  }
  return { exposed: false, key: null };
}

/** The route belongs to platform server version 5.5 or above. */
export const firstVersionWithRoute = '5.5';

export function hasRoute(platformVersion: string): boolean {
  const [major = 0, minor = 0] = platformVersion.split('.').map(Number);
  return major > 5 || (major === 5 && minor >= 5);
}

/** What the `forward.*` parameters say, defaults filled in. */
export interface ForwardSettings {
  /** Whether the forwarding server runs. */
  readonly enabled: boolean;
  /** Address and port to listen on; without LAN the address is a loopback one. */
  readonly listen: { readonly host: string; readonly port: number };
  /** Listens on every interface. */
  readonly lan: boolean;
  /** Names that clients may use for this server, beside its loopback names. Lower case. */
  readonly hostnames: readonly string[];
  /** Networks whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  readonly platformVersion: string;
}

export interface ParameterProblem {
  readonly key: string;
  /** What is wrong and what would be right, in a sentence. */
  readonly problem: string;
}
