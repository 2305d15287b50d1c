/** What the command line takes from its process. The entry gives the real thing. */
export interface CliHost {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  readonly home: string;
  /** The operating system's name of who types. */
  readonly operator: string;
  /** Aborted with a `cancelled` error on SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
  /** Aborted by the second of them: what is on its way is cut off, and its outcome is unknown. */
  readonly cut: AbortSignal;
  /** SIGHUP calls it instead of asking to stop, until the returned function is called. Left out where there are no signals. */
  onReload?(listener: () => void): () => void;
}
