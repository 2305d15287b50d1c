/** Styles of event severities and detection outcomes: always shape, word and colour. */
import type {DetectionOutcome, EventSeverity} from '#model/event.ts'

import {look} from './look.ts'
import type {Look} from './Tag.tsx'

export const severityWords: Readonly<Record<EventSeverity, Look>> = {
	critical: look('◆', 'critical', 'bad'),
	high: look('▲', 'high', 'warn'),
	medium: look('●', 'medium', 'accent'),
	low: look('○', 'low', 'plain'),
	none: look('·', 'none', 'plain'),
	unknown: look('?', 'unknown', 'hold')
}

export const outcomeWords: Readonly<Record<DetectionOutcome, Look>> = {
	open: look('◌', 'open', 'warn'),
	quarantined: look('✓', 'quarantined', 'ok'),
	failed: look('✖', 'failed', 'bad'),
	recalled: look('↩', 'recalled', 'hold')
}

/** How soon somebody has to act. */
export const urgencyWords = {now: {shape: '▲', word: 'now'}, soon: {shape: '◆', word: 'soon'}, know: {shape: '○', word: 'info'}} as const
