import {type EntryKind, isMissed, type LogEntry, type Surface} from '#model/incident.ts'

import {look} from '#ui/look.ts'
import type {Look} from '#ui/Tag.tsx'

export const kindWords: Readonly<Record<EntryKind, Look>> = {
	'command.requested': look('→', 'requested', 'plain'),
	'command.succeeded': look('✓', 'succeeded', 'ok'),
	'command.failed': look('✕', 'failed', 'bad'),
	'command.outcome_unknown': look('?', 'unknown', 'warn'),
	'command.observed': look('●', 'confirmed', 'ok'),
	'secret.revealed': look('◉', 'revealed', 'warn'),
	note: look('✎', 'note', 'accent'),
	'evidence.pinned': look('◆', 'pinned', 'accent'),
	'evidence.unpinned': look('◇', 'unpinned', 'plain'),
	'connection.changed': look('⚙', 'connection', 'plain'),
	'lease.changed': look('◷', 'lease', 'plain'),
	'forwarding.changed': look('⇄', 'forwarding', 'plain'),
	'managed.changed': look('▦', 'administrator', 'warn'),
	'session.changed': look('◧', 'browser', 'plain'),
	'detection.changed': look('◈', 'detection', 'plain'),
	'incident.opened': look('▸', 'opened', 'plain'),
	'incident.closed': look('▪', 'closed', 'plain'),
	'incident.reopened': look('▸', 'reopened', 'plain')
}

export const notConfirmed: Look = look('✕', 'not confirmed', 'bad')

export function wordsOf(entry: Pick<LogEntry, 'kind' | 'command' | 'data'>) {
	return isMissed(entry) ? notConfirmed : kindWords[entry.kind]
}

export const surfaceWords: Readonly<Record<Surface, string>> = {
	screen: 'window',
	cli: 'command line',
	automation: 'automation',
	playbook: 'playbook',
	api: 'API',
	assistant: 'assistant'
}
