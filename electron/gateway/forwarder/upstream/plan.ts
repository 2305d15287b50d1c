import type {BodyLimits, Fields, RequestFraming} from '../message-types.ts'

/** Address of an instance. */
export type UpstreamTarget = ReturnType<typeof targetOf>

/** A request as sent to an instance. */
export interface UpstreamPlan {
	readonly method: string
	/** Complete with the empty line, Latin-1; its framing fields agree with `framing`. */
	readonly head: string
	readonly framing: RequestFraming
	/** Whether `101` is a valid answer; such a request gets a separate connection. */
	readonly upgrade: boolean
	/** Milliseconds, 0: none. */
	readonly connectMs: number
	readonly firstByteMs: number
	readonly idleMs: number
	/** For the answer. */
	readonly limits: BodyLimits
}

/** Whether it may be repeated when a kept connection died (G20). */
export function isRepeatable(plan: UpstreamPlan) {
	return (plan.method === 'GET' || plan.method === 'HEAD') && plan.framing.kind === 'none' && !plan.upgrade
}

export function targetOf(instance: {id: string; host: string; listenPort: number}) {
	/** Of the instance, for counting. */
	const {id, host, listenPort: port} = instance
	return {
		id,
		/** Key of kept connections: the same for the same instance at the same address. */
		key: `${id} ${host} ${String(port)}`,
		host,
		port
	}
}

const longestKeepMs = 60_000

/** Milliseconds that the instance keeps a connection by its own account, less a second; 0 without one. */
export function keptFor(fields: Fields) {
	for (let at = 0; at < fields.length; at += 2) {
		const name = fields[at] ?? ''
		if (name.length !== 10 || name.toLowerCase() !== 'keep-alive') continue
		const seconds = Number(/(?:^|[\s,;])timeout=(\d{1,6})/i.exec(fields[at + 1] ?? '')?.[1] ?? 0)
		return seconds === 0 ? 0 : Math.min(longestKeepMs, Math.max(250, (seconds - 1) * 1000))
	}
	return 0
}
