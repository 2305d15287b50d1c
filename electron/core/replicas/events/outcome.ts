import type {DetectionOutcome} from '#model/event.ts'

/** The meaning of event types for a detection's outcome, by id: names differ between regions and years. */
const kinds: Readonly<Record<number, number>> = {
	// Threat Detected
	1_090_519_054: 1,
	// Threat Quarantined
	553_648_143: 2,
	// Quarantine Failure
	2_164_260_880: 4,
	// Cloud Recall (Retrospective) Detection
	553_648_147: 8,
	// Cloud Recall Quarantine Successful
	553_648_155: 16
}

/** A bit for each kind; 0 for types that do not tell an outcome. */
export function kindOf(typeId: number | null) {
	return typeId === null ? 0 : (kinds[typeId] ?? 0)
}

/** They come in any order (API reference, 6.1): one success is enough. `null`: outcome not known. */
export function outcomeOf(bits: number): DetectionOutcome | null {
	if (bits === 0) return null
	if ((bits & 2) !== 0) return 'quarantined'
	if ((bits & 16) !== 0) return 'recalled'
	return (bits & 4) === 0 ? 'open' : 'failed'
}
