import {usageError} from '#contract/errors.ts'

/** Whether both addresses lead to one service. */
export function sameService(one: string, other: string) {
	return new URL(one).origin === new URL(other).origin
}

/** For what was agreed on at an address. Throws `usage` when the connection leads elsewhere by now. */
export function refuseElsewhere(now: {name: string; url: string}, then: {url: string}, field: string) {
	if (sameService(now.url, then.url)) return
	throw usageError(`${now.name} leads to another service since then. Nothing was sent: ask for it again.`, field)
}

/** `undefined` for one that was removed. */
export function foundConnection<T>(connections: {find(id: string): T}, id: string | null) {
	try {
		return connections.find(id ?? '')
	} catch {
		return undefined
	}
}
