/** Two sorted lists without doubles, compared as they are read. */
import type { Batch } from './lines.ts';

export interface Difference {
	/** Lines of the old list that the new one lacks. */
	readonly lost: number;
	readonly gained: number;
	/** Lines of the old list. */
	readonly before: number;
}

export interface OnDifference {
	lost(line: string): void;
	gained(line: string): void;
	/** Awaited after each batch. */
	settle(): Promise<void>;
}

export async function compareSorted(
	before: AsyncGenerator<Batch>,
	after: AsyncGenerator<Batch>,
	on: OnDifference,
): Promise<Difference> {
	const [one, other] = [cursor(before), cursor(after)];
	const count = { lost: 0, gained: 0, before: 0 };
	await Promise.all([one.fill(), other.fill()]);
	while (one.line !== undefined || other.line !== undefined) {
		const [old, now] = [one.line, other.line];
		if (old !== undefined && (now === undefined || old < now)) {
			count.lost += 1;
			on.lost(old);
		} else if (now !== undefined && (old === undefined || now < old)) {
			count.gained += 1;
			on.gained(now);
		}
		if (old !== undefined && (now === undefined || old <= now)) {
			count.before += 1;
			if (!one.next()) await Promise.all([one.fill(), on.settle()]);
		}
		if (now !== undefined && (old === undefined || now <= old) && !other.next()) {
			await Promise.all([other.fill(), on.settle()]);
		}
	}
	return count;
}

function cursor(source: AsyncGenerator<Batch>) {
	let lines: Batch = [];
	let at = 0;
	return {
		get line() {
			return lines[at];
		},
		/** `false`: the batch is used up. */
		next: () => (at += 1) < lines.length,
		fill: async () => {
			do {
				const { value, done } = await source.next();
				lines = done === true ? [] : value;
				at = 0;
				if (done === true) return;
			} while (lines.length === 0);
		},
	};
}
