import type {NamedReference} from '#shared/contract/directory.ts'

export interface MoveRequest {
	/** GUID of the computer. */
	readonly guid: string
	readonly hostname: string
	/** GUID of the group that was chosen already, such as by dropping the computer there. */
	readonly to?: string | undefined
	/** A move is taken back: the computer must still be where that move has put it. */
	readonly undo?: Moved | undefined
}

/** A move that the service has accepted. */
export interface Moved {
	readonly guid: string
	readonly hostname: string
	readonly from: NamedReference
	readonly to: NamedReference
	readonly at: string
}

/** The way back. */
export function undoOf(moved: Moved): MoveRequest {
	return {guid: moved.guid, hostname: moved.hostname, to: moved.from.guid, undo: moved}
}
