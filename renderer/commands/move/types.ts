import type {NamedReference} from '#contract/directory.ts'

export interface MoveRequest {
	guid: string
	hostname: string
	/** GUID of a group chosen already, such as by dropping the computer there. */
	to?: string | undefined
	/** The move to undo: the computer must still be where it put it. */
	undo?: Moved | undefined
}

export type Moved = ReturnType<typeof movedNow>

/** What the service has just accepted. */
export function movedNow({guid, hostname}: MoveRequest, from: NamedReference, to: NamedReference) {
	return {guid, hostname, from, to, at: new Date().toISOString()}
}

export function undoOf(moved: Moved): MoveRequest {
	return {guid: moved.guid, hostname: moved.hostname, to: moved.from.guid, undo: moved}
}
