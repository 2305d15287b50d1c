/** The content of `cordon forward --config FILE`: all settings of the standalone forwarding server. */
import type {InstanceDefinition} from '#model/instance.ts'
import type {ServerParameters} from '#model/server-parameter.ts'

import type {AccessRule, Credentials, ServerLimits} from '../../forwarder/types.ts'

export interface ForwardFile {
	readonly parameters: ServerParameters
	readonly instances: readonly FileInstance[]
	readonly listen: FileListen
	/** Valid but probably unintended settings, with line, key and advice. */
	readonly warnings: readonly FileProblem[]
}

export interface FileInstance {
	readonly definition: InstanceDefinition & {listenPort: number}
	/** `definition.access` with its verifiers and keys. Never logged. */
	readonly access: AccessRule
}

export interface FileListen {
	/** `null`: not given; `127.0.0.1`, or every interface with `lan`. */
	readonly host: string | null
	/** `null`: not given. 0: any free port. */
	readonly port: number | null
	readonly lan: boolean
	/** Lower case. */
	readonly hostnames: readonly string[]
	readonly trustedProxies: readonly string[]
	/** `null`: a certificate of the local authority. */
	readonly credentials: Credentials | null
	/** Source of these credentials, for an exported configuration; `null` with the local authority. */
	readonly certificate: {certificateFile: string; keyFile: string} | null
	/** Loopback port of the metrics. 0: any free port. */
	readonly metricsPort: number
	readonly limits: ServerLimits
	/** Which finished requests are logged. */
	readonly log: 'all' | 'failures' | 'none'
}

/** One fault of the file. Contains no secret value. */
export interface FileProblem {
	/** Counted from 1. */
	readonly line: number
	/** Such as `instances[0].listenPort`; empty for the file as a whole. */
	readonly key: string
	/** End of a sentence that starts with the key. */
	readonly problem: string
	/** What to do. */
	readonly fix: string
}
