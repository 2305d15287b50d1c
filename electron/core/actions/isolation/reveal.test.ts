import type {CordonError} from '#contract/errors.ts'
import type {SealedCode} from '#model/lease.ts'
import {revealUnlockCode} from './reveal.ts'

const sealed: SealedCode = {
	...{id: 'i1', connection: 'c1', connectionName: 'ACME', guid: 'g1', label: 'FIN-1', at: 'then', made: 'generated', state: 'in_use'}
}
const [lost, asked] = [
	{...sealed, id: 'lost'},
	{connection: {id: 'c1', name: 'ACME'}, guid: 'G1', label: 'FIN-1', reason: 'x', incident: null}
]
let logged: unknown[]

/** The service is out of reach. */
function reveal(more: {guid?: string; sealed?: string; signal?: AbortSignal}, newest?: SealedCode) {
	const codes = {
		list: (connection?: string) => [sealed, lost].filter(one => one.connection === connection),
		newest: () => newest,
		open: async (id: string) => (id === 'i1' ? 'CODE' : undefined)
	}
	logged = []
	const append = async (entry: {data?: unknown}) => {
		logged.push(entry.data)
		return {id: 'e1'} as never // all that is read of it
	}
	const services = {codes, client: () => undefined, clock: {now: () => 0}, log: {append}}
	return revealUnlockCode(services, {...asked, surface: 'screen', ...more}).catch((error: CordonError) => error.code)
}

test('a named code of the vault is shown of its own computer only, and the log says where it is from', async () => {
	expect(await reveal({sealed: 'i1'})).toEqual({code: 'CODE', source: 'vault', at: 'then', entry: 'e1'})
	expect(logged).toEqual([{reason: 'x', source: 'vault'}])
	expect(await reveal({sealed: 'i1', guid: 'G2'})).toBe('not_found')
	expect(await reveal({sealed: 'i2'})).toBe('not_found')
	expect(await reveal({sealed: 'lost'})).toBe('secret_unavailable')
})

test('where the service is out of reach the newest of the vault is shown, unless that was stopped', async () => {
	expect(await reveal({}, sealed)).toMatchObject({code: 'CODE', source: 'vault'})
	expect(logged).toEqual([{reason: 'x', source: 'service'}])
	expect(await reveal({})).toBe('unknown_connection')
	expect(await reveal({signal: AbortSignal.abort()}, sealed)).toBe('unknown_connection')
})
