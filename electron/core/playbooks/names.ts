/** Names in an order stand for GUIDs. */
import type {CommandResult} from '#shared/commands/result.ts'
import {CordonError, hasCode, usageError} from '#contract/errors.ts'
import {isGuid, normalGuid} from '#model/formats.ts'

import type {CommandOrder} from './routes.ts'

/** Runs a command for a playbook, or for a program that uses a route. */
export type Ask = (order: Pick<CommandOrder, 'name' | 'args'> & Partial<CommandOrder>) => Promise<CommandResult>

/** Each costs a call or more. */
const mostNames = 100

/** Arguments that name an object get its GUID, or those of several. */
export async function resolved(asks: Ask, args: CommandOrder['args']): Promise<CommandOrder['args']> {
	const entries = Object.entries(args).map(async ([name, value]) => {
		const find = finders[name]
		if (find === undefined) return [name, value] as const
		const names = String(value)
			.split(',')
			.filter(part => !isGuid(part.trim()))
		if (names.length > mostNames) throw usageError(`More than ${mostNames} names cannot be looked up at once. Give GUIDs.`, name)
		const guids = (await Promise.all([value].flat().map(text => guidsOf(text, one => find(asks, one))))).flat()
		return [name, guids.length === 1 ? (guids[0] ?? '') : guids] as const
	})
	return Object.fromEntries(await Promise.all(entries))
}

async function guidsOf(text: string, find: (name: string) => Promise<string>): Promise<readonly string[]> {
	const parts = text.split(',').map(part => part.trim())
	if (parts.every(isGuid)) return parts
	const alone = await find(text).catch((error: unknown) => {
		// A name may hold commas: only what is no name is read as several.
		if (parts.length === 1 || !hasCode(error, 'not_found')) throw error
	})
	return alone === undefined ? (await Promise.all(parts.map(part => guidsOf(part, find)))).flat() : [alone]
}

export async function guidOf(asks: Ask, computer: string) {
	if (isGuid(computer)) return normalGuid(computer)
	return await byName(asks, ['svc_get_computers'], {field: 'hostname', name: computer, key: 'connector_guid'})
}

const finders: Readonly<Record<string, (asks: Ask, name: string) => Promise<string>>> = {
	connector_guid: guidOf,
	group_guid: (asks, name) => byName(asks, ['svc_get_groups'], {field: 'name', name, key: 'guid'}),
	file_list_guid: (asks, name) =>
		byName(asks, ['svc_get_simple_custom_detections', 'svc_get_application_blocking'], {field: 'name', name, key: 'guid'})
}

interface Named {
	field: string
	name: string
	key: string
}

async function byName(asks: Ask, commands: readonly string[], {field, name, key}: Named) {
	const found = new Map<string, unknown>()
	for (const command of commands) {
		const {data, missing = [], message} = await asks({name: command, args: {[field]: name}, all: true})
		// Another of the same name may be on the lost page.
		if (missing.length > 0) throw new CordonError('incomplete', message, {field, missing})
		for (const one of Array.isArray(data) ? data : [data])
			if (String(valueAt(one, [field])).toLowerCase() === name.toLowerCase()) found.set(String(valueAt(one, [key])), one)
	}
	const [guid, ...others] = found.keys()
	if (guid === undefined) throw new CordonError('not_found', `There is no ${name} on this connection. Nothing was sent.`, {field})
	if (others.length === 0) return guid
	const newest = [...found].toSorted(([, one], [, other]) => textAt(other, 'last_seen').localeCompare(textAt(one, 'last_seen')))
	const told = await Promise.all(newest.slice(0, 5).map(([one, record]) => toldApart(asks, one, record)))
	const more = found.size > told.length ? `; and ${found.size - told.length} more` : ''
	throw new CordonError('conflict', `${name} is the name of several: ${told.join('; ')}${more}. Give the GUID. Nothing was sent.`, {field})
}

async function toldApart(asks: Ask, guid: string, record: unknown) {
	const [group, seen] = [textAt(record, 'group_guid'), textAt(record, 'last_seen')]
	if (group === '') return guid
	const {data} = await asks({name: 'svc_get_group', args: {group_guid: group}}).catch(() => ({data: null}))
	return `${guid} (group ${textAt(data, 'name') || group}, last seen ${seen || 'never'})`
}

export function valueAt(value: unknown, path: readonly string[]) {
	return path.reduce<unknown>(
		(inner, key) =>
			typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key) ? (inner as Record<string, unknown>)[key] : undefined,
		value
	)
}

export function textAt(record: unknown, select: string) {
	const value = valueAt(record, select.split('.'))
	if (value === undefined || value === null) return ''
	return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
