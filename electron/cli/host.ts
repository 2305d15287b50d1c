import type {CliFiles} from './files.ts'
import type {ConsoleDependencies} from './console-parts.ts'

/** The command line's connection to its process; replaced in tests. */
export interface CliHost {
	readonly stdin: NodeJS.ReadStream
	readonly stdout: NodeJS.WriteStream
	readonly stderr: NodeJS.WriteStream
	readonly files: CliFiles
	readonly environment: Readonly<Record<string, string | undefined>>
	readonly platform: string
	readonly home: string
	/** The folder that relative file names start from. */
	readonly folder: string
	readonly operator: string
	/** Aborted with a `cancelled` error on SIGINT and SIGTERM. */
	readonly signal: AbortSignal
	/** Aborted by the second signal: requests under way are cut off, with unknown outcome. */
	readonly cut: AbortSignal
	/** Set only where a running console answers for a command line; nothing of the profile is opened then. */
	readonly console?: ConsoleDependencies | undefined
	/**
	 * SIGHUP calls `listener` instead of stopping, until the returned function is called. Left out where there are no
	 * signals.
	 */
	onReload?(listener: () => void): () => void
}
