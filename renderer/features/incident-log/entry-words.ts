import type {EntryKind, LogEntry, Surface} from '#model/incident.ts'

import type {Tone} from '#ui/Tag.tsx'

interface KindWords {
	readonly shape: string
	readonly word: string
	readonly tone: Tone
}

/** Shape and word of each kind of entry. */
export const kindWords: Readonly<Record<EntryKind, KindWords>> = {
	'command.requested': {shape: '→', word: 'requested', tone: 'plain'},
	'command.succeeded': {shape: '✓', word: 'succeeded', tone: 'ok'},
	'command.failed': {shape: '✕', word: 'failed', tone: 'bad'},
	'command.outcome_unknown': {shape: '?', word: 'unknown', tone: 'warn'},
	'command.observed': {shape: '●', word: 'confirmed', tone: 'ok'},
	'secret.revealed': {shape: '◉', word: 'revealed', tone: 'warn'},
	note: {shape: '✎', word: 'note', tone: 'accent'},
	'evidence.pinned': {shape: '◆', word: 'pinned', tone: 'accent'},
	'evidence.unpinned': {shape: '◇', word: 'unpinned', tone: 'plain'},
	'connection.changed': {shape: '⚙', word: 'connection', tone: 'plain'},
	'lease.changed': {shape: '◷', word: 'lease', tone: 'plain'},
	'forwarding.changed': {shape: '⇄', word: 'forwarding', tone: 'plain'},
	'managed.changed': {shape: '▦', word: 'administrator', tone: 'warn'},
	'session.changed': {shape: '◧', word: 'browser', tone: 'plain'},
	'detection.changed': {shape: '◈', word: 'detection', tone: 'plain'},
	'incident.opened': {shape: '▸', word: 'opened', tone: 'plain'},
	'incident.closed': {shape: '▪', word: 'closed', tone: 'plain'},
	'incident.reopened': {shape: '▸', word: 'reopened', tone: 'plain'},
}

/** A confirmed state is not always the one that was asked for. */
export function wordsOf({kind, command, data}: Pick<LogEntry, 'kind' | 'command' | 'data'>): KindWords {
	const wanted = command === 'svc_delete_computers_isolation' ? 'not_isolated' : 'isolated'
	if (kind === 'command.observed' && (data?.['state'] ?? wanted) !== wanted) return {shape: '✕', word: 'not confirmed', tone: 'bad'}
	return kindWords[kind]
}

/** Names of surfaces. */
export const surfaceWords: Readonly<Record<Surface, string>> = {
	screen: 'window',
	cli: 'command line',
	automation: 'automation',
	playbook: 'playbook',
	api: 'API',
	assistant: 'assistant',
}
