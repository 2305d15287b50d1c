import type {
  CertificateStatus,
  ForwarderStatus,
  HealthChange,
  InstanceDetail,
  InstanceList,
  InstanceRow,
  ListStatus,
  ParameterRow,
  ProbeResult,
  RequestEntry,
  TrafficSeries,
} from '#shared/contract/instances.ts';
import type { Instance, InstanceHealth, InstanceInput, InstanceSecrets } from '#shared/model/instance.ts';
import type { ForwardSettings, ParameterProblem, ServerParameters } from '#shared/model/server-parameter.ts';

/** Verifiers of secrets, never the secrets: what the access check of the route needs. */
export interface Verifiers {
  /** `verifier`: an scrypt string. */
  readonly users: readonly { readonly name: string; readonly verifier: string }[];
  /** SHA-256 of each token, hex. */
  readonly tokens: readonly string[];
}

/** An instance with what only this folder needs to know of it. Never shown as it is. */
export interface StoredInstance {
  readonly instance: Instance;
  readonly verifiers: Verifiers;
  /** Grows with each restart that was asked for. */
  readonly restarts: number;
}

/** Everything that is stored, as of one moment. */
export interface Snapshot {
  /** Grows with every change, by whichever process. */
  readonly revision: number;
  /** By name. */
  readonly stored: readonly StoredInstance[];
  /** Without the values of variables, like everything else that a store gives but `stored`. */
  readonly instances: readonly Instance[];
  readonly parameters: ServerParameters;
  readonly settings: ForwardSettings;
  readonly problems: readonly ParameterProblem[];
}

export interface SaveInput {
  /** Left out: a new instance. */
  readonly id?: string | undefined;
  readonly definition: InstanceInput;
  readonly secrets?: InstanceSecrets | undefined;
  /** The switch of the route; left out, it stays as it is. */
  readonly exposed?: boolean | undefined;
  readonly confirm?: string | undefined;
}

/**
 * Stored instances and server parameters: everything that a person edits. Nothing runs here, so the command line uses
 * it beside a console that runs. A change and its entry in the incident log stand or fall together.
 */
export interface InstanceStore {
  /** By name. */
  list(): readonly Instance[];
  /** By id, or by exact name, or by an older name. Throws `unknown_instance`. */
  find(idOrName: string): Instance;
  /** Throws `taken`, `invalid_argument`, `confirmation_needed` (`details.field`: the text to type). */
  save(input: SaveInput): Promise<Instance>;
  remove(id: string): Promise<void>;
  setEnabled(id: string, enabled: boolean): Instance;
  /** Writes the instance's own key, or removes it (`null`). */
  setExposed(id: string, exposed: boolean | null, confirm?: string): Instance;
  setOpenPort(id: string, open: boolean, confirm?: string): Instance;
  /** A managed or built-in instance is started anew by the console that runs, now or at its next look. */
  restart(id: string): Instance;
  parameters(): ServerParameters;
  settings(): { readonly settings: ForwardSettings; readonly problems: readonly ParameterProblem[] };
  parameterRows(): readonly ParameterRow[];
  /** Throws `invalid_argument` with what would be right, or `confirmation_needed`. */
  setParameter(key: string, value: string | null, confirm?: string): readonly ParameterRow[];
  /** Puts it into the incident log as a change of forwarding. */
  note(message: string, data: Readonly<Record<string, unknown>>): void;
  /** Read anew only when something changed. */
  snapshot(): Snapshot;
  /** Called after a change, also by another process on the profile; returns the way to stop. */
  onChange(listener: () => void): () => void;
  stop(): void;
}

/** What runs, as far as it is known here. */
export interface InstanceRuntime {
  server(): ServerState;
  health(id: string): InstanceHealth;
  history(id: string): readonly HealthChange[];
  traffic(id: string): InstanceRow['traffic'];
  series(id: string): TrafficSeries;
  output(id: string): InstanceDetail['output'];
  listStatus(id: string): ListStatus | null;
  requests(id: string | undefined, limit: number): readonly RequestEntry[];
  follow(id: string | undefined, signal?: AbortSignal): AsyncGenerator<readonly RequestEntry[], void>;
  /** Looks at its health now; resolves with the look's end. */
  checkNow(id: string, signal?: AbortSignal): Promise<void>;
  /** Throws `usage` when there is no list. In another process: asks the console that runs, and tells what is held back. */
  publish(id: string): Promise<ListStatus>;
  /** Why nobody can use it through the route, in a sentence. */
  problem(id: string): string | null;
  /** Whether it was seen to listen on more than loopback; `undefined` where that cannot be told. */
  isOpen(instance: Pick<Instance, 'id' | 'openPort'>): boolean | undefined;
  /** Whether an instance of ours listens on it right now. */
  listensOn(port: number): boolean;
}

/** The part of `ForwarderStatus` that only the running server knows. */
export type ServerState = Pick<ForwarderStatus, 'state' | 'problem' | 'listen' | 'connections'>;

/** Certificate of the forwarding server; the folder is shared by every process on the profile. */
export interface Certificates {
  /** `null` while there is none: nothing was exposed yet. */
  status(): Promise<CertificateStatus | null>;
  exportAuthority(format: 'pem' | 'der'): Promise<AuthorityExport>;
  import(certificate: string, key: string): Promise<CertificateStatus>;
  useLocal(): Promise<CertificateStatus>;
  renew(): Promise<CertificateStatus>;
}

export interface AuthorityExport {
  readonly name: string;
  readonly mediaType: string;
  /** PEM text, or base64 of the DER form. */
  readonly content: string;
  readonly hints: readonly { readonly product: string; readonly steps: string }[];
}

/** Instances as screen and command line see them: what is stored, and what is known of what runs. */
export interface Instances {
  readonly store: InstanceStore;
  list(): Promise<InstanceList>;
  detail(id: string): Promise<InstanceDetail>;
  /** Throws `unknown_instance`. By id or name. */
  row(id: string): InstanceRow;
  checkNow(id: string, signal?: AbortSignal): Promise<InstanceRow>;
  checkPort(port: number, id?: string): Promise<{ readonly free: boolean; readonly holder: string | null }>;
  probe(id: string, signal?: AbortSignal): AsyncGenerator<ProbeResult, void>;
  requests(id: string | undefined, limit: number): readonly RequestEntry[];
  follow(id: string | undefined, signal?: AbortSignal): AsyncGenerator<readonly RequestEntry[], void>;
  publish(id: string): Promise<ListStatus>;
  readonly certificates: Certificates;
}
