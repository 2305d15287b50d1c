import { CordonError, reportError } from '#shared/contract/errors.ts';
import {
  testStages,
  type Connection,
  type ConnectionInput,
  type TestResult,
  type TestStage,
} from '#shared/model/connection.ts';

import { proxyFor } from '../api/proxy.ts';
import type { ApiClient, BudgetLedger, ClientOptions } from '../api/types.ts';
import { bareHost } from '../api/url.ts';
import type { Clock } from '../ports.ts';
import { checkAddress } from './input.ts';
import type { Probe } from './probe.ts';
import { judgeBudget, judgeCertificate, judgeClock, judgeVersion, type Verdict } from './verdicts.ts';

export interface TestServices {
  readonly clock: Clock;
  readonly probe: Probe;
  readonly proxyEnvironment: Readonly<Record<string, string | undefined>>;
  readonly userAgent: string;
  readonly createClient: (options: ClientOptions) => ApiClient;
}

/** What is tested: a stored connection, what is being typed, or the one with changes of the other. */
export interface TestSubject {
  readonly stored: Connection | undefined;
  readonly draft: Partial<ConnectionInput>;
  /** The stored key; never asked for when the draft leads to another server. */
  readonly keyOf: (connection: Connection) => Promise<string>;
  /** The budget that the calls count against, when they go to the stored server. */
  readonly ledger: (sameServer: boolean) => BudgetLedger;
}

/** Reads only, so that a test never depends on the reserve; a test that takes longer tells nothing new. */
const patience = { deadlineMs: 20_000, maxBudgetWaitMs: 1_000 } as const;

/** One result per stage as it is known; after a stage that failed the others are skipped. */
export async function* testConnection(
  services: TestServices,
  subject: TestSubject,
  signal: AbortSignal,
): AsyncGenerator<TestResult, void> {
  const run = new TestRun(services, subject, signal);
  let failed: TestStage | undefined;
  try {
    for (const stage of testStages) {
      const verdict = failed === undefined ? await run.attempt(stage) : skipped(failed);
      if (verdict.verdict === 'failed') failed = stage;
      yield { stage, ...verdict };
    }
  } finally {
    await run.end();
  }
}

function skipped(failed: TestStage): Verdict {
  return { verdict: 'skipped', message: `Not tried, because an earlier step failed (${failed}).` };
}

/** What one stage learns and a later one needs. */
class TestRun {
  readonly #services: TestServices;
  readonly #subject: TestSubject;
  readonly #signal: AbortSignal;
  #client: ApiClient | undefined;
  #refused: CordonError | undefined;

  constructor(services: TestServices, subject: TestSubject, signal: AbortSignal) {
    this.#services = services;
    this.#subject = subject;
    this.#signal = signal;
  }

  /** Throws only when the test itself is stopped. */
  async attempt(stage: TestStage): Promise<Verdict> {
    try {
      return await this.#stages[stage]();
    } catch (error) {
      if (this.#signal.aborted) throw new CordonError('cancelled', undefined, {}, { cause: error });
      return { verdict: 'failed', message: reportError(error).message };
    }
  }

  async end(): Promise<void> {
    await this.#client?.stop();
  }

  readonly #stages: Readonly<Record<TestStage, () => Verdict | Promise<Verdict>>> = {
    url: () => ({ verdict: 'ok', message: `${this.#server().origin} can be used.` }),
    dns: () => this.#resolve(),
    tcp: () => this.#connect(),
    tls: () => this.#handshake(),
    version: () => this.#askVersion(),
    credentials: () => {
      if (this.#refused !== undefined) throw this.#refused;
      return { verdict: 'ok', message: 'The service knows this client ID and API key.' };
    },
    clock: () => judgeClock(this.#client?.clockSkewMs() ?? null),
    budget: () => judgeBudget(this.#client?.budget() ?? null),
  };

  #server(): URL {
    return new URL(checkAddress(this.#subject.draft.url ?? this.#subject.stored?.url ?? ''));
  }

  #proxy(): URL | null {
    return proxyFor(this.#server(), this.#services.proxyEnvironment);
  }

  async #resolve(): Promise<Verdict> {
    const proxy = this.#proxy();
    const host = bareHost((proxy ?? this.#server()).hostname);
    const addresses = await this.#services.probe.resolve(host, this.#signal);
    const name = proxy === null ? host : `The proxy ${host}`;
    return {
      verdict: 'ok',
      message: addresses.includes(host) ? `${name} is an address already.` : `${name} is ${addresses.join(', ')}.`,
    };
  }

  async #connect(): Promise<Verdict> {
    const proxy = this.#proxy();
    const target = proxy ?? this.#server();
    const from = this.#services.clock.monotonic();
    await this.#services.probe.connect(target, this.#signal);
    const ms = Math.round(this.#services.clock.monotonic() - from);
    return {
      verdict: 'ok',
      message: `${proxy === null ? target.host : `The proxy ${target.host}`} took the connection after ${ms} ms.`,
    };
  }

  async #handshake(): Promise<Verdict> {
    const server = this.#server();
    if (server.protocol === 'http:')
      return { verdict: 'skipped', message: 'Plain HTTP within this computer has no certificate.' };
    const found = await this.#services.probe.handshake(server, this.#proxy(), this.#signal);
    return judgeCertificate(
      found,
      this.#subject.draft.insecure ?? this.#subject.stored?.insecure ?? false,
      this.#services.clock.now(),
    );
  }

  async #askVersion(): Promise<Verdict> {
    this.#client = this.#services.createClient(await this.#clientOptions());
    try {
      const answer = await this.#client.call(
        { method: 'GET', path: ['version'] },
        { signal: this.#signal, ...patience },
      );
      return judgeVersion(answer.body);
    } catch (error) {
      if (!(error instanceof CordonError) || (error.code !== 'unauthorized' && error.code !== 'forbidden')) throw error;
      this.#refused = error;
      return { verdict: 'skipped', message: 'The service does not tell its version without valid credentials.' };
    }
  }

  async #clientOptions(): Promise<ClientOptions> {
    const { stored, draft } = this.#subject;
    const { clock, proxyEnvironment, userAgent } = this.#services;
    const url = this.#server().origin;
    const sameServer = stored !== undefined && stored.url === url;
    const apiKey = await this.#key(sameServer);
    return {
      connection: stored?.id ?? 'test',
      url,
      clientId: (draft.clientId ?? stored?.clientId ?? '').trim(),
      apiKey: async () => apiKey,
      insecure: draft.insecure ?? stored?.insecure ?? false,
      clock,
      proxyEnvironment,
      ledger: this.#subject.ledger(sameServer && (draft.clientId ?? stored.clientId).trim() === stored.clientId),
      mode: () => ({ kind: 'read_only', because: 'connection', since: null }),
      userAgent,
    };
  }

  /** The stored key goes to the server that it was entered for and to no other. */
  async #key(sameServer: boolean): Promise<string> {
    const { stored, draft, keyOf } = this.#subject;
    const typed = draft.apiKey?.trim() ?? '';
    if (typed !== '') return typed;
    if (stored !== undefined && sameServer) return keyOf(stored);
    throw new CordonError('invalid_argument', 'Enter the API key: without it the service cannot be asked.', {
      field: 'apiKey',
    });
  }
}
