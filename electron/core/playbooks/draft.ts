/** Makes a playbook from an operator's entries in the incident log. */
import {randomUUID} from 'node:crypto'

import {findCommand} from '#shared/commands/catalogue.ts'
import {maskedCode} from '#shared/commands/result.ts'
import {usageError} from '#contract/errors.ts'
import type {LogEntry} from '#model/incident.ts'
import {copyOf} from '#model/playbook-document.ts'

import {compose, type Line, type Outline} from './compose.ts'
import type {PlaybookDocument} from './document.ts'
import {routes} from './routes.ts'

type Labels = ReadonlyMap<string, string>
type Inputs = Record<string, Outline['inputs'][string]>

/** Outcomes stand for their intents; entries without a command are omitted. Throws `usage` when nothing is left. */
export async function draftOf(
	ids: readonly string[],
	entry: (id: string) => Promise<LogEntry | undefined>,
	now: string
): Promise<PlaybookDocument> {
	const intents = new Map<string, LogEntry>()
	for (const id of ids) {
		const found = await entry(id)
		const intent = found?.kind !== 'command.requested' && typeof found?.about === 'string' ? await entry(found.about) : found
		if (intent?.kind === 'command.requested' && specOf(intent) !== undefined) intents.set(intent.id, intent)
	}
	const steps = [...intents.values()].toSorted((one, other) => one.seq - other.seq)
	if (steps.length === 0) throw usageError('None of these entries is a command. Select entries of commands.', 'entries')
	const inputs: Inputs = {}
	const labels = new Map(steps.flatMap(({target}) => (target === null ? [] : [[target.guid, target.label]])))
	const lines = steps.map(intent => lineOf(intent, labels, inputs))
	const changes = steps.filter(intent => specOf(intent)?.risk !== 'read').length
	const ask: readonly Line[] = changes === 0 ? [] : [['ask', 'Ask for approval', `Make these changes: ${changes}?`]]
	const name = `From the incident log, ${steps[0]?.at.slice(0, 16).replace('T', ' ') ?? ''}`
	const description = `Commands of ${[...new Set(steps.map(({operator}) => operator))].join(', ')}, ${steps[0]?.at} to ${steps.at(-1)?.at}.`
	const document = compose({name, description, labels: ['draft'], inputs, lines: [...ask, ...lines]})
	return copyOf(document, `playbook--${randomUUID()}`, name, now)
}

const specOf = ({command}: LogEntry) => (command === null ? undefined : findCommand(command))

function lineOf(intent: LogEntry, labels: Labels, inputs: Inputs): Line {
	const {target} = intent
	const spec = specOf(intent)
	const given = Object.entries(intent.args ?? {}).filter(
		([name, value]) => name !== 'unlock_code' && spec?.args[name]?.secret !== true && value !== maskedCode
	)
	const args = Object.fromEntries(given.map(([name, value]) => [name, variable(name, value, labels, inputs)]))
	const route = routes.findLast(
		({command, path}) => command === intent.command && path.every(part => !part.startsWith('{') || part.slice(1, -1) in args)
	)
	const inPath = new Set(route?.path.filter(part => part.startsWith('{')).map(part => part.slice(1, -1)))
	const path = route?.path.map(part => (part.startsWith('{') ? written(args[part.slice(1, -1)]) : part)) ?? ['commands', spec?.name ?? '']
	const rest = Object.entries(args).filter(([name]) => !inPath.has(name))
	const title = [spec?.title ?? '', target?.label ?? ''].filter(Boolean).join(': ').slice(0, 200)
	if (route?.method === 'GET') {
		const query = rest.flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).map(one => `${name}=${written(one)}`))
		return ['do', title, `GET /${path.join('/')}${query.length === 0 ? '' : `?${query.join('&')}`}`]
	}
	if (spec?.risk !== 'read') rest.push(['reason', variable('reason', intent.data?.['reason'] ?? '', labels, inputs)])
	return ['do', title, `${route?.method ?? 'POST'} /${path.join('/')}`, Object.fromEntries(rest)]
}

const written = (value: unknown) => encodeURIComponent(String(value)).replace(/^(__\w+__)%3Avalue$/, '$1:value')

const kinds = {
	connector_guid: ['computer', 'string', 'Computer: host name or GUID'],
	sha256: ['sha256', 'sha256-hash', 'SHA-256 of the file'],
	reason: ['reason', 'string', 'Reason for the incident log']
} as const satisfies Readonly<Record<string, readonly [string, Outline['inputs'][string][0], string]>>

function variable(name: string, value: unknown, labels: Labels, inputs: Inputs): unknown {
	if (Array.isArray(value)) return value.map(one => variable(name, one, labels, inputs))
	if (typeof value !== 'string' || !Object.hasOwn(kinds, name)) return value
	const [word, type, words] = kinds[name as keyof typeof kinds]
	const same = Object.keys(inputs).filter(key => key.startsWith(word))
	// One reason for all, given at the start.
	const known = name === 'reason' ? same[0] : same.find(key => inputs[key]?.[2] === value)
	if (known !== undefined) return `__${known}__:value`
	const key = same.length === 0 ? word : `${word}_${same.length + 1}`
	const host = labels.get(value) ?? value
	const label = host === value ? '' : ` (${host})`
	inputs[key] = name === 'reason' && value === '' ? [type, words] : [type, `${words}${label}`, value]
	return `__${key}__:value`
}
