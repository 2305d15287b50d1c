import type {CliFiles} from './files.ts'
import type {ConsoleParts} from './console-parts.ts'

/** What the command line takes from its process. The entry gives the real thing. */
export interface CliHost {
	readonly stdin: NodeJS.ReadStream
	readonly stdout: NodeJS.WriteStream
	readonly stderr: NodeJS.WriteStream
	readonly files: CliFiles
	readonly environment: Readonly<Record<string, string | undefined>>
	readonly platform: string
	readonly home: string
	/** The folder that file names start from. */
	readonly folder: string
	/** The operating system's name of who types. */
	readonly operator: string
	/** Aborted with a `cancelled` error on SIGINT and SIGTERM. */
	readonly signal: AbortSignal
	/** Aborted by the second of them: what is on its way is cut off, and its outcome is unknown. */
	readonly cut: AbortSignal
	/** Only where a running console answers for a command line: then nothing of the profile is opened. */
	readonly console?: ConsoleParts | undefined
	/** SIGHUP calls it instead of asking to stop, until the returned function is called. Left out where there are no signals. */
	onReload?(listener: () => void): () => void
}
