export type WireState =
	| {kind: 'connecting'}
	| {kind: 'connected'}
	/** Times are milliseconds since 1970. */
	| {kind: 'reconnecting'; since: number; nextAt: number; attempt: number}
	/** The host does not know this browser, which must open the entry URL printed at the host's start. */
	| {kind: 'refused'}
	/** The page cannot reopen a MessagePort. */
	| {kind: 'closed'}

const firstWait = 300
const longestWait = 10_000

/** Milliseconds before attempt `attempt` (1 and up), with jitter from `random` in [0, 1). */
export function backOff(attempt: number, random: number) {
	const wait = Math.min(longestWait, firstWait * 2 ** (attempt - 1))
	return Math.round(wait * (0.75 + random * 0.5))
}
