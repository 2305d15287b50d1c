import type {TrajectoryPoint} from '#contract/insight.ts'

import type {Tone as TagTone} from '#ui/Tag.tsx'
import type {ChartTheme} from '#ui/chart/theme.ts'
import type {Disposition} from '#model/choices.ts'

type Shape = TrajectoryPoint['shape']

/** Word and symbol of an event's kind for tables; the chart has the same symbols as shapes. */
export const shapeLooks: Readonly<Record<Shape, {word: string; sign: string}>> = {
	create: {word: 'created', sign: '+'},
	execute: {word: 'executed', sign: '▶'},
	move: {word: 'moved', sign: '→'},
	open: {word: 'opened', sign: '○'},
	network: {word: 'network', sign: '◎'},
	detect: {word: 'detected', sign: '✖'},
	quarantine: {word: 'quarantined', sign: '▣'},
	fail: {word: 'failed', sign: '⊠'},
	system: {word: 'system', sign: '◇'}
}

interface DispositionLook {
	word: string
	tone: TagTone
	colour: (theme: ChartTheme) => string
}

/** Besides its colour each has a frame in the chart: see `frameOf` in `marks.ts`. */
export const dispositionLooks: Readonly<Record<Disposition, DispositionLook>> = {
	malicious: {word: 'malicious', tone: 'bad', colour: theme => theme.tones.bad},
	blocked: {word: 'blocked', tone: 'warn', colour: theme => theme.tones.warn},
	unknown: {word: 'unknown', tone: 'accent', colour: theme => theme.tones.accent},
	clean: {word: 'clean', tone: 'plain', colour: theme => theme.ink3},
	none: {word: 'no disposition', tone: 'plain', colour: theme => theme.ink2}
}

const ofDisposition: Readonly<Record<Disposition, number>> = {none: 0, clean: 0, unknown: 1, blocked: 3, malicious: 4}
const ofShape: Readonly<Partial<Record<Shape, number>>> = {detect: 6, fail: 5, quarantine: 5}

/** Priority for a bead's single mark: 0 for clean, above 1 for bad. */
export function badness({disposition, shape, detectionId}: Pick<TrajectoryPoint, 'disposition' | 'shape' | 'detectionId'>) {
	// A failed update is a failure, but no danger.
	const byShape = shape === 'fail' && detectionId === null ? 0 : (ofShape[shape] ?? 0)
	return Math.max(ofDisposition[disposition], byShape)
}
