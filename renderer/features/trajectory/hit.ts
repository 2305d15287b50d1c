/** What is under the pointer: pure. */
import type { TrajectoryPoint } from '#shared/contract/sight.ts';

import { formatExact, type TimeZone } from '../../ui/time.ts';
import { beadsOf, type Bead, type LaneLayout, type Layout, type Span } from './layout.ts';
import { fileOf } from './merge.ts';
import { axisHeight, rowHeight } from './painting.ts';

export interface Hit {
	readonly row: number;
	readonly lane: LaneLayout;
	/** `null`: on the name of the lane, or between its events. */
	readonly bead: Bead | null;
}

export interface HitFacts {
	readonly layout: Layout;
	readonly span: Span;
	readonly width: number;
	readonly labelWidth: number;
	readonly top: number;
}

const reach = 10;

export function hitAt({ layout, span, width, labelWidth, top }: HitFacts, x: number, y: number): Hit | null {
	const row = Math.floor((y - axisHeight + top) / rowHeight);
	const lane = y < axisHeight ? undefined : layout.lanes[row];
	if (lane === undefined) return null;
	if (x < labelWidth) return { row, lane, bead: null };
	const at = x - labelWidth;
	const beads = beadsOf(lane, span, width - labelWidth);
	const near = beads.reduce<Bead | null>(
		(best, bead) => (Math.abs(bead.x - at) < Math.abs((best?.x ?? Infinity) - at) ? bead : best),
		null,
	);
	return { row, lane, bead: near !== null && Math.abs(near.x - at) <= reach ? near : null };
}

/** What the pointer is told, one text a line; empty when there is nothing to tell. */
export function tipOf({ lane, bead }: Hit, isLabel: boolean, zone: TimeZone): readonly string[] {
	if (bead !== null) return beadLines(lane.points, bead, zone);
	if (!isLabel) return [];
	if (lane.header !== undefined) return [lane.header.hostname, `${lane.header.events} events`];
	const { label, names, disposition, keeps } = lane.lane;
	const id = fileOf(lane.lane.id);
	const hash = id.length === 64 ? [id] : [];
	const role = keeps && disposition === 'clean' ? ['clean, and parent of something bad'] : [disposition];
	return [[label, ...names].join(', '), ...(id === 'system' || id === 'network' ? [] : role), ...hash];
}

function beadLines(points: readonly TrajectoryPoint[], bead: Bead, zone: TimeZone): readonly string[] {
	const [first, last] = [points[bead.first], points[bead.last]];
	if (bead.first === bead.last || first === undefined || last === undefined)
		return [formatExact(bead.worst.at, zone), bead.worst.text];
	const count = bead.last - bead.first + 1;
	return [`${count} events, ${formatExact(first.at, zone)} to ${formatExact(last.at, zone)}`, bead.worst.text];
}
