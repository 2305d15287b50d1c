/** The forwarding server's configuration for another engine. */
import type {ForwardedInstance, ForwarderConfig, Listen} from '../types.ts'

export interface ExportInput {
	readonly listen: Listen
	readonly config: Pick<
		ForwarderConfig,
		'parameters' | 'instances' | 'hostnames' | 'trustedProxies' | 'platformVersion' | 'limits' | 'pseudonym'
	>
	/** Where that engine finds certificate and key of the server. */
	readonly certificate: {readonly certificateFile: string; readonly keyFile: string}
	/** Folder where it finds the further files of the export. */
	readonly folder: string
}

export interface Exported {
	readonly text: string
	/** Files that the text refers to, for the folder; none of them is secret. */
	readonly files: readonly {readonly name: string; readonly content: string}[]
	/** What the engine cannot do, as the comments say it, each once. */
	readonly impossible: readonly string[]
}

/** One exposed instance with the number that its parts of the configuration carry. */
export interface Routed {
	readonly number: number
	readonly instance: ForwardedInstance
	/** Its name, then its older names. */
	readonly names: readonly string[]
}
