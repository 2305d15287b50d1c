import type { ListStatus } from '#shared/contract/instances.ts';
import type { ListService } from '#shared/model/instance.ts';

import type { BuildRecord, Shelf } from './shelf.ts';

/** The list that may be served: a list of another type is none. */
export function served({ current }: Shelf, definition: ListService): BuildRecord | null {
	return current?.definition.type === definition.type ? current : null;
}

export function heldFor({ held }: Shelf, definition: ListService): BuildRecord | null {
	return held?.definition.type === definition.type ? held : null;
}

export function heldReason({ facts: { difference } }: BuildRecord): string {
	const { lost, before } = difference ?? { lost: 0, before: 0 };
	return `It would lose ${lost} of ${before} values. Publish it if that is right; until then the last list is served.`;
}

/** `problem`: why the last build was not published, if it was not. */
export function statusOf(shelf: Shelf, definition: ListService, problem: string | null): ListStatus {
	const current = served(shelf, definition);
	const held = heldFor(shelf, definition);
	return {
		entries: current?.facts.entries ?? 0,
		dropped: current?.facts.dropped ?? 0,
		builtAt: current === null ? null : new Date(current.builtAt).toISOString(),
		etag: current === null ? null : `"${current.facts.bodies[current.definition.format]?.sha256}"`,
		problem: problem ?? (held === null ? null : heldReason(held)),
		heldBack: held === null ? null : heldBack(held),
	};
}

function heldBack({ facts, builtAt }: BuildRecord): ListStatus['heldBack'] {
	return { entries: facts.entries, lost: facts.difference?.lost ?? 0, at: new Date(builtAt).toISOString() };
}
