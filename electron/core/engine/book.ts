import type { StepRow, Tally } from './port.ts';
import type { StepBook } from './types.ts';

/** The journal of a run in the memory of its owner. A row is put in here once it is in the store. */
export interface OwnBook extends StepBook {
	put(row: StepRow): void;
	nextPosition(): number;
}

export function openBook(rows: readonly StepRow[]): OwnBook {
	const all: StepRow[] = [];
	const places = new Map<string, number>();
	const counts = new Map<string, number>();
	let positions = rows.reduce((next, { position }) => Math.max(next, position + 1), 0);
	const counted = (tag: string, by: 1 | -1): void => void counts.set(tag, (counts.get(tag) ?? 0) + by);
	const put = (row: StepRow): void => {
		const place = places.get(row.id) ?? all.length;
		const before = all[place];
		if (before !== undefined) counted(before.tag, -1);
		counted(row.tag, 1);
		places.set(row.id, place);
		all[place] = row;
	};
	rows.forEach(put);
	return {
		all,
		put,
		get: (id) => all[places.get(id) ?? -1],
		with: (...tags) => all.filter(({ tag }) => tags.includes(tag)),
		count: (...tags) => tags.reduce((sum, tag) => sum + (counts.get(tag) ?? 0), 0),
		tally: (): Tally => Object.fromEntries([...counts].filter(([, count]) => count > 0)),
		nextPosition: () => positions++,
	};
}
