import type { Disposition, TrajectoryLane } from '#shared/contract/sight.ts';

import { isBad, worse, type TrajectoryEvent } from './event.ts';

export const systemLane = 'system';
export const networkLane = 'network';

/** Which lane each event is on: the file's, that of the detection it belongs to, the network's, or the system's. */
export function placesOf(events: readonly TrajectoryEvent[]): readonly string[] {
	const ofDetection = new Map<string, string>();
	for (const event of events) {
		const lane = ownLane(event);
		if (event.detectionId !== null && lane !== null && !ofDetection.has(event.detectionId))
			ofDetection.set(event.detectionId, lane);
	}
	return events.map(
		(event) => ownLane(event) ?? (event.detectionId === null ? null : ofDetection.get(event.detectionId)) ?? systemLane,
	);
}

function ownLane({ isNetwork, sha256 }: TrajectoryEvent): string | null {
	return isNetwork ? networkLane : sha256;
}

interface LaneFacts {
	readonly names: Map<string, number>;
	disposition: Disposition;
	events: number;
	first: number;
	keeps: boolean;
}

export interface NamedLanes {
	readonly lanes: readonly TrajectoryLane[];
	/** The name under which a file is best known here, also of one that is only a parent. */
	nameOf(sha256: string): string | null;
}

/** Events in their order, each with its lane beside. */
export function lanesOf(events: readonly TrajectoryEvent[], places: readonly string[]): NamedLanes {
	const facts = new Map<string, LaneFacts>();
	const parentNames = new Map<string, Map<string, number>>();
	events.forEach((event, index) => {
		const lane = laneIn(facts, places[index] ?? systemLane, index);
		lane.events += 1;
		lane.disposition = worse(lane.disposition, event.disposition);
		lane.keeps ||= isBad(event);
		if (event.fileName !== null && event.sha256 !== null) count(lane.names, event.fileName);
		if (event.parent !== null && event.parentName !== null) count(within(parentNames, event.parent), event.parentName);
	});
	keepParents(events, facts);
	for (const [sha256, names] of parentNames) for (const [name] of names) addName(facts.get(sha256), name);
	const nameOf = rememberedName(
		(sha256) => namesOf(facts.get(sha256)?.names)[0] ?? namesOf(parentNames.get(sha256))[0],
	);
	const lanes = [...facts]
		.toSorted(([one, a], [other, b]) => placeOf(one, a) - placeOf(other, b) || a.first - b.first)
		.map(([id, lane]) => laneRow(id, lane));
	return { lanes, nameOf };
}

/** Few files have thousands of events: each is named once. */
function rememberedName(find: (sha256: string) => string | undefined): NamedLanes['nameOf'] {
	const known = new Map<string, string | null>();
	return (sha256) => {
		const name = known.get(sha256);
		if (name !== undefined) return name;
		const found = find(sha256) ?? null;
		known.set(sha256, found);
		return found;
	};
}

function laneIn(facts: Map<string, LaneFacts>, id: string, index: number): LaneFacts {
	const known = facts.get(id);
	if (known !== undefined) return known;
	const made: LaneFacts = { names: new Map(), disposition: 'none', events: 0, first: index, keeps: false };
	facts.set(id, made);
	return made;
}

/** What started, made or moved anything bad stays in sight when clean lanes are hidden. */
function keepParents(events: readonly TrajectoryEvent[], facts: ReadonlyMap<string, LaneFacts>): void {
	for (const event of events) {
		const parent = event.parent !== null && isBad(event) ? facts.get(event.parent) : undefined;
		if (parent !== undefined) parent.keeps = true;
	}
}

/** A name that only parents told counts for less than any that the file's own events told. */
function addName(lane: LaneFacts | undefined, name: string): void {
	if (lane !== undefined && !lane.names.has(name)) lane.names.set(name, 0);
}

/** The system and the network first, then what is bad or led to it, then the rest; each in the order of the first event. */
function placeOf(id: string, lane: LaneFacts): number {
	if (id === systemLane) return 0;
	if (id === networkLane) return 1;
	if (lane.keeps) return 2;
	return lane.disposition === 'unknown' ? 3 : 4;
}

function laneRow(id: string, lane: LaneFacts): TrajectoryLane {
	const [label, ...names] = namesOf(lane.names);
	const { disposition, events, keeps } = lane;
	return { id, label: label ?? plainLabel(id), names, disposition, events, keeps };
}

function plainLabel(id: string): string {
	return id === systemLane || id === networkLane ? id : `${id.slice(0, 8)}…`;
}

/** Most frequent first; among equals the one that came first. */
function namesOf(names: ReadonlyMap<string, number> | undefined): readonly string[] {
	return [...(names ?? [])].toSorted(([, a], [, b]) => b - a).map(([name]) => name);
}

function count(names: Map<string, number>, name: string): void {
	names.set(name, (names.get(name) ?? 0) + 1);
}

function within(all: Map<string, Map<string, number>>, key: string): Map<string, number> {
	const known = all.get(key);
	if (known !== undefined) return known;
	const made = new Map<string, number>();
	all.set(key, made);
	return made;
}
