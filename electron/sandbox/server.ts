import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

import type { Credential } from './auth.ts';
import { createBudget } from './budget.ts';
import { createControl } from './control.ts';
import { handleRequest, type Pipeline } from './pipeline.ts';
import type { StreamBroker } from './event-streams.ts';
import { createRouter } from './router.ts';
import { routesOf } from './routes.ts';
import { createWorld } from './create-world.ts';
import { createRequestLog, type RequestRecord } from './request-log.ts';
import { createWeather, type WeatherControl, type WeatherRule } from './weather.ts';
import type { World } from './world.ts';

export interface SandboxOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** Default 2,000. */
  readonly computers?: number | undefined;
  /** Default and least 44; the others are sites below them. */
  readonly groups?: number | undefined;
  /** Default and most 14. */
  readonly fileLists?: number | undefined;
  /** Same seed, same tenant. Default `cordon`. */
  readonly seed?: string | undefined;
  /** Calls per window. Default 3,000. */
  readonly budget?: number | undefined;
  /** Default 3,600. */
  readonly windowSeconds?: number | undefined;
  /** How long an agent takes to answer, on average; each host has its own spread around it. Default 4,000. */
  readonly agentDelayMs?: number | undefined;
  readonly weather?: readonly (WeatherRule | string)[] | undefined;
  readonly clientId?: string | undefined;
  /** Default: random with each start. */
  readonly apiKey?: string | undefined;
  /** Unix milliseconds. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** PEM texts; with them the server speaks HTTPS. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /** Where event streams have their queues; without one they cannot be created. Whoever gives it stops it. */
  readonly broker?: StreamBroker | undefined;
}

export interface Sandbox {
  /** `http://127.0.0.1:PORT`, without a path. */
  readonly url: string;
  readonly clientId: string;
  readonly apiKey: string;
  /** A second credential whose writes are answered with 403. */
  readonly readOnlyClientId: string;
  readonly readOnlyApiKey: string;
  /** Value of the header `X-Sandbox-Control` that calls under `/sandbox/` need. */
  readonly controlToken: string;
  readonly weather: WeatherControl;
  /** The newest 10,000 requests under `/v1`, oldest first; the array is live. */
  readonly requests: readonly RequestRecord[];
  clearRequests(): void;
  /** The tenant and its state, for tests that play the agent or somebody else. */
  readonly world: World;
  /** Closes at once, whatever hangs. */
  stop(): Promise<void>;
}

/** Starts the service on the loopback address. Rejects when the port is taken or an option makes no sense. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const seed = options.seed ?? 'cordon';
  const now = options.now ?? Date.now;
  const [writer, reader] = credentialsOf(options);
  const world = createWorld({
    seed,
    computers: options.computers ?? 2000,
    size: { groups: options.groups, fileLists: options.fileLists },
    agentDelayMs: options.agentDelayMs ?? 4000,
    start: now(),
  });
  const weather = createWeather(seed, options.weather ?? []);
  const budget = createBudget(options.budget ?? 3000, options.windowSeconds ?? 3600);
  const controlToken = randomUUID();
  const log = createRequestLog();
  const naps = createNaps();
  const pipeline: Pipeline = {
    scheme: options.tls === undefined ? 'http' : 'https',
    credentials: [writer, reader],
    budget,
    weather,
    router: createRouter(routesOf(world, options.broker)),
    control: createControl({ token: controlToken, world, weather, budget, log }),
    record: log.record,
    now,
    wait: naps.wait,
    settle: world.settle,
  };
  const server = await listen(options, (request, response) => {
    // What cannot be answered, such as a redirect to an impossible address, must not end the process.
    handleRequest(pipeline, request, response).catch(() => void response.destroy());
  });
  return {
    url: addressOf(server, pipeline.scheme),
    clientId: writer.clientId,
    apiKey: writer.apiKey,
    readOnlyClientId: reader.clientId,
    readOnlyApiKey: reader.apiKey,
    controlToken,
    weather,
    requests: log.records,
    clearRequests: log.clear,
    world,
    stop: () => stop(server, naps.wake),
  };
}

function credentialsOf(options: SandboxOptions): readonly [Credential, Credential] {
  const clientId = options.clientId ?? '5a7d0b0c5a7d0b0c0001';
  return [
    { clientId, apiKey: options.apiKey ?? randomUUID(), name: 'Cordon sandbox', scope: 'write' },
    {
      clientId: `${clientId.slice(0, -4)}0002`,
      apiKey: randomUUID(),
      name: 'Cordon sandbox (read-only)',
      scope: 'read',
    },
  ];
}

async function listen(options: SandboxOptions, listener: RequestListener): Promise<Server> {
  const server = options.tls === undefined ? createServer(listener) : createTlsServer(options.tls, listener);
  // Longer than any client keeps an idle connection, so that none is closed just as it is used again.
  server.keepAliveTimeout = 75_000;
  server.on('clientError', (_error, socket) => void socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  return server;
}

function addressOf(server: Server, scheme: string): string {
  // A TCP server that listens has an address with a port; the string form belongs to pipes.
  const { port } = server.address() as AddressInfo;
  return `${scheme}://127.0.0.1:${port}`;
}

async function stop(server: Server, wake: () => void): Promise<void> {
  const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
  wake();
  server.closeAllConnections();
  await closed;
}

interface Naps {
  readonly wait: (ms: number) => Promise<void>;
  readonly wake: () => void;
}

/** Waits that end early when the server stops, so that no timer outlives it. */
function createNaps(): Naps {
  const sleeping = new Map<NodeJS.Timeout, () => void>();
  return {
    wake: () =>
      sleeping.forEach((resolve, timer) => {
        clearTimeout(timer);
        resolve();
      }),
    wait: (ms) =>
      ms <= 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            const timer = setTimeout(() => {
              sleeping.delete(timer);
              resolve();
            }, ms);
            sleeping.set(timer, resolve);
          }),
  };
}
