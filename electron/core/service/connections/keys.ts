import {CordonError, messageOf} from '#contract/errors.ts'
import type {Connection} from '#model/connection.ts'
import type {Surface} from '#model/incident.ts'
import {shellValue} from '#model/typed.ts'

import {actingSurface} from '#base/acting.ts'
import type {SecretStore} from '#base/ports.ts'

/** What goes in; `null` takes it out, and what is left out stays. */
export interface SecretChange {
	readonly apiKey?: string | null | undefined
	/** `user:password` */
	readonly proxyLogin?: string | null | undefined
}

/** API keys of connections, and credentials of their proxies, in the host's secret store. */
export type Keys = ReturnType<typeof openKeys>

/** `surface`: who would have to help when a key is not there. */
export function openKeys(secrets: SecretStore, surface: Surface) {
	const held = new Map<string, string>()
	return {
		/** Keeps a key in the memory of this process alone, before any that is stored; `undefined` forgets it. */
		hold: (id: string, apiKey: string | undefined) => void (apiKey === undefined ? held.delete(id) : held.set(id, apiKey)),
		/** Throws `secret_unavailable`. */
		read: async (connection: Pick<Connection, 'id' | 'name' | 'url' | 'clientId'>) => {
			const what = {name: secretName(connection.id, 'apiKey'), field: 'apiKey', words: `API key of ${connection.name}`} as const
			const key = held.get(connection.id) ?? (await readOrExplain(secrets, what))
			if (key !== undefined) return key
			throw new CordonError('secret_unavailable', `The API key of ${connection.name} is not in the secret store.`, {
				field: 'apiKey',
				fix: actingSurface(surface) === 'cli' ? fixOnCommandLine(connection) : fixOnScreen
			})
		},
		/** Throws `secret_unavailable` where some are stored and cannot be read. */
		readProxyLogin: async ({id, name, hasProxyLogin}: Pick<Connection, 'id' | 'name' | 'hasProxyLogin'>) => {
			if (!hasProxyLogin) return undefined
			const words = `user name and password for the proxy of ${name}`
			const login = await readOrExplain(secrets, {name: secretName(id, 'proxyLogin'), field: 'proxyLogin', words})
			if (login !== undefined) return login
			throw new CordonError(
				'secret_unavailable',
				`The user name and password for the proxy of ${name} are not in the secret store; enter them again.`,
				{field: 'proxyLogin'}
			)
		},
		/** Puts them in for as long as `work` succeeds; what was there before comes back when it throws. */
		during: async <T>(id: string, change: SecretChange, work: () => T) => {
			await refuseUnavailable(secrets, change)
			const back: (() => Promise<void>)[] = []
			try {
				for (const [name, value] of namedChanges(id, change)) {
					if (value === null) back.push(await secrets.remove(name))
					else back.push(await replace(secrets, name, value))
				}
				return work()
			} catch (error) {
				for (const undo of back.toReversed()) await undo()
				throw error
			}
		}
	}
}

/** Where a form says that it cannot be saved. */
function fieldOf({apiKey}: SecretChange) {
	return apiKey === undefined ? 'proxyLogin' : 'apiKey'
}

type Subject = Parameters<Keys['read']>[0]

interface Wanted {
	/** In the store. */
	name: string
	field: keyof SecretChange
	/** What it is, behind "The". */
	words: string
}

async function readOrExplain(secrets: SecretStore, {name, field, words}: Wanted) {
	try {
		return await secrets.read(name)
	} catch (error) {
		if (error instanceof CordonError) throw error
		const reason = messageOf(error).replace(/\.$/, '')
		const details = {field, fix: fixOfSystem(error) ?? fixOnScreen}
		throw new CordonError('secret_unavailable', `The ${words} cannot be read: ${reason}.`, details, {cause: error})
	}
}

/** When the system refused to open or read the store, what lies in it is as good as ever. */
function fixOfSystem(error: unknown) {
	if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return undefined
	const isFull = error.code === 'EMFILE' || error.code === 'ENFILE'
	return isFull
		? 'Too many files are open. Close other programs or raise the limit of open files (ulimit -n), then try again. What is stored is unchanged.'
		: 'Make the file readable for the user who runs Cordon, then try again. What is stored is unchanged.'
}

const fixOnScreen = 'Open Connections and enter the API key again.'

function fixOnCommandLine({name, url, clientId}: Subject) {
	return (
		`Enter it with "cordon connections edit ${shellValue(name)} --api-key-file FILE", or give it for this command alone ` +
		`with --server ${url} --client-id ${clientId} --api-key-file FILE.`
	)
}

/** What is only taken out needs no key: a connection can be removed while the store is away. */
async function refuseUnavailable(secrets: SecretStore, change: SecretChange) {
	if (Object.values(change).every(value => value === null || value === undefined)) return
	const problem = await secrets.unavailable()
	if (problem !== null) throw new CordonError('secret_unavailable', problem, {field: fieldOf(change)})
}

/** A damaged one can be replaced like any other; it only cannot come back. Resolves with the way back. */
async function replace(secrets: SecretStore, name: string, value: string) {
	const before = await secrets.read(name).catch(() => {})
	await secrets.write(name, value)
	return async () => {
		if (before === undefined) await secrets.remove(name)
		else await secrets.write(name, before)
	}
}

const kinds = {apiKey: 'api-key', proxyLogin: 'proxy'} as const satisfies Record<keyof SecretChange, string>

function namedChanges(id: string, {apiKey, proxyLogin}: SecretChange): readonly [name: string, value: string | null][] {
	return [
		...(apiKey === undefined ? [] : [[secretName(id, 'apiKey'), apiKey] as [string, string | null]]),
		...(proxyLogin === undefined ? [] : [[secretName(id, 'proxyLogin'), proxyLogin] as [string, string | null]])
	]
}

/** Where the password of a connection's event stream lies. */
export function streamSecret(id: string) {
	return `connection/${id}/stream`
}

function secretName(id: string, kind: keyof typeof kinds) {
	return `connection/${id}/${kinds[kind]}`
}
