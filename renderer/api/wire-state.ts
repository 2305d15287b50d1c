export type WireState =
	| {readonly kind: 'connecting'}
	| {readonly kind: 'connected'}
	/** Times are milliseconds since 1970. */
	| {readonly kind: 'reconnecting'; readonly since: number; readonly nextAt: number; readonly attempt: number}
	/** The host does not know this browser, which must open the entry URL printed at the host's start. */
	| {readonly kind: 'refused'}
	/** The page cannot reopen a MessagePort. */
	| {readonly kind: 'closed'}

const firstWait = 300
const longestWait = 10_000

/** Milliseconds before attempt `attempt` (1 and up), with jitter from `random` in [0, 1). */
export function backOff(attempt: number, random: number): number {
	const wait = Math.min(longestWait, firstWait * 2 ** (attempt - 1))
	return Math.round(wait * (0.75 + random * 0.5))
}
