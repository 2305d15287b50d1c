import {random, type Random} from './random.ts'

/** JSON blocks of an event besides its frame: `file`, `scan`, `detection`… in the service's order. */
export type EventBlock = Readonly<Record<string, unknown>>

/** Something that the service recorded as an event. Times are milliseconds after the start, negative before it. */
export interface EventFact {
	/** Absent on threat-hunting incidents. */
	id: bigint | undefined
	at: number
	type: number
	/** Index of the computer. */
	host: number
	/** Which computer fields the event has: all, only the GUID, or only the name. */
	frame: 'computer' | 'guid' | 'hostname'
	block: EventBlock
	/** Detected file, for the filter. */
	detectionSha256?: string
	/** The program that created or opened it, for the filter. */
	applicationSha256?: string
}

/** Connector ids have 19 digits, more than a double holds (API reference, 1.8). */
export function connectorEventId(die: Random) {
	return (BigInt(0x50000000 + die.int(0x2fffffff)) << 32n) | BigInt(die.int(0x100000000))
}

/** Cloud ids are small. */
export function cloudEventId(die: Random) {
	return BigInt(4_000_000 + die.int(4_100_000_000))
}

export function factDie(seed: string, ...parts: readonly (string | number)[]): Random {
	return random(seed, 'fact', ...parts)
}

/** Newest first by second; ties keep their order, as at the service. */
export function newestFirst<T extends {at: number}>(facts: readonly T[]): readonly T[] {
	return facts.toSorted((a, b) => Math.floor(b.at / 1000) - Math.floor(a.at / 1000))
}
