/** Styles of event severities and detection outcomes: always shape, word and colour. */
import type {DetectionOutcome, EventSeverity} from '#model/event.ts'

import type {Tone} from './Tag.tsx'

interface Word {
	readonly shape: string
	readonly word: string
	readonly tone: Tone
}

export const severityWords: Readonly<Record<EventSeverity, Word>> = {
	critical: {shape: '◆', word: 'critical', tone: 'bad'},
	high: {shape: '▲', word: 'high', tone: 'warn'},
	medium: {shape: '●', word: 'medium', tone: 'accent'},
	low: {shape: '○', word: 'low', tone: 'plain'},
	none: {shape: '·', word: 'none', tone: 'plain'},
	unknown: {shape: '?', word: 'unknown', tone: 'hold'},
}

export const outcomeWords: Readonly<Record<DetectionOutcome, Word>> = {
	open: {shape: '◌', word: 'open', tone: 'warn'},
	quarantined: {shape: '✓', word: 'quarantined', tone: 'ok'},
	failed: {shape: '✖', word: 'failed', tone: 'bad'},
	recalled: {shape: '↩', word: 'recalled', tone: 'hold'},
}

/** How soon somebody has to act. */
export const urgencyWords = {
	now: {shape: '▲', word: 'now'},
	soon: {shape: '◆', word: 'soon'},
	know: {shape: '○', word: 'info'},
} as const
