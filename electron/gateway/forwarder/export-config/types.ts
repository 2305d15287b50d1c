/** The forwarding server's configuration for another engine. */
import type {ForwardedInstance, ForwarderConfig, Listen} from '../types.ts'

export interface ExportInput {
	listen: Listen
	config: Pick<ForwarderConfig, 'parameters' | 'instances' | 'hostnames' | 'trustedProxies' | 'platformVersion' | 'limits' | 'pseudonym'>
	/** Paths of the server's certificate and key for that engine. */
	certificate: {certificateFile: string; keyFile: string}
	/** Folder of the additional files of the export. */
	folder: string
}

export interface Exported {
	readonly text: string
	/** Files that the text refers to, for the folder; none is secret. */
	readonly files: readonly {name: string; content: string}[]
	/** What the engine cannot do, as in the comments, once each. */
	readonly impossible: readonly string[]
}

/** One exposed instance with its number in the configuration. */
export interface Routed {
	readonly number: number
	readonly instance: ForwardedInstance
	/** Its name, then its older names. */
	readonly names: readonly string[]
}
