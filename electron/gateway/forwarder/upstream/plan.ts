import type {BodyLimits, Fields, RequestFraming} from '../message-types.ts'

/** Where an instance listens. */
export interface UpstreamTarget {
	/** Of the instance, for counting. */
	readonly id: string
	/** Connections are kept by it: the same for the same instance at the same place. */
	readonly key: string
	readonly host: string
	readonly port: number
}

/** A request as it goes to an instance. */
export interface UpstreamPlan {
	readonly method: string
	/** Complete with the empty line, Latin-1; its framing fields say what `framing` says. */
	readonly head: string
	readonly framing: RequestFraming
	/** `101` is an answer that may be given; such a request gets a connection of its own. */
	readonly upgrade: boolean
	/** Milliseconds, 0: none. */
	readonly connectMs: number
	readonly firstByteMs: number
	readonly idleMs: number
	/** For the answer. */
	readonly limits: BodyLimits
}

/** Whether it may be sent once more when a kept connection died under it (G20). */
export function isRepeatable(plan: UpstreamPlan): boolean {
	return (plan.method === 'GET' || plan.method === 'HEAD') && plan.framing.kind === 'none' && !plan.upgrade
}

export function targetOf(instance: {readonly id: string; readonly host: string; readonly listenPort: number}): UpstreamTarget {
	const {id, host, listenPort: port} = instance
	return {id, key: `${id} ${host} ${String(port)}`, host, port}
}

const longestKeepMs = 60_000

/** Milliseconds that the instance says it keeps a connection, with a second to spare; 0 when it says nothing. */
export function keptFor(fields: Fields): number {
	for (let at = 0; at < fields.length; at += 2) {
		const name = fields[at] ?? ''
		if (name.length !== 10 || name.toLowerCase() !== 'keep-alive') continue
		const seconds = Number(/(?:^|[\s,;])timeout=(\d{1,6})/i.exec(fields[at + 1] ?? '')?.[1] ?? 0)
		return seconds === 0 ? 0 : Math.min(longestKeepMs, Math.max(250, (seconds - 1) * 1000))
	}
	return 0
}
