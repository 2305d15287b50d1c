/** How much room the lines that need attention took last time: the next time begins as high, and nothing moves. */
import { z } from 'zod';

/** `width` of the window: in a narrow one lines are higher. */
const roomSchema = z.object({ lines: z.int().min(0).max(100), height: z.number().min(0), width: z.number() });
type Room = z.infer<typeof roomSchema>;

/** The connection that was shown last stands last. */
const keptSchema = z.array(z.tuple([z.string(), roomSchema]));
type Kept = z.infer<typeof keptSchema>;

const storage = 'cordon.overview.attention';
const mostKept = 20;
/** As many as there are for most tenants. */
const usualLines = 3;

/** `height` is `null` where only the number of lines is known. */
export interface RoomToCome {
	readonly lines: number;
	readonly height: number | null;
}

export function roomIn(kept: Kept, connection: string, width: number): RoomToCome {
	const room = kept.find(([id]) => id === connection)?.[1];
	if (room === undefined) return { lines: usualLines, height: null };
	return { lines: room.lines, height: room.width === width ? room.height : null };
}

export function withRoom(kept: Kept, connection: string, room: Room): Kept {
	return [...kept.filter(([id]) => id !== connection), [connection, room] satisfies Kept[number]].slice(-mostKept);
}

export function readRoom(connection: string): RoomToCome {
	return roomIn(readKept(), connection, window.innerWidth);
}

export function keepRoom(connection: string, lines: number, height: number): void {
	try {
		const next = withRoom(readKept(), connection, { lines, height, width: window.innerWidth });
		localStorage.setItem(storage, JSON.stringify(next));
	} catch {
		// Without storage the next time begins as usual.
	}
}

function readKept(): Kept {
	try {
		return parseKept(localStorage.getItem(storage));
	} catch {
		return [];
	}
}

/** Something else in the storage is as good as nothing. */
export function parseKept(text: string | null): Kept {
	try {
		return keptSchema.safeParse(JSON.parse(text ?? '[]')).data ?? [];
	} catch {
		return [];
	}
}
