import type {AccessToken} from '#model/door.ts'

import type {CommandRequest} from '#core/actions/commands/types.ts'
import {askFor, givenOf, type CommandDependencies} from './commands.ts'

test('a read that waits for the limit ends when its client leaves; a change goes on', async () => {
	const requests: CommandRequest[] = []
	const run = async (request: CommandRequest) => void requests.push(request)
	// Nothing else of them is used.
	const deps = {runner: {run}, guards: {rules: () => ({})}} as unknown as CommandDependencies
	const {signal} = new AbortController()
	const caller = {token: {name: 'drill'} as AccessToken, surface: 'api', signal} as const
	const ask = askFor(deps, caller, {connection: 'one', incident: null})
	for (const name of ['svc_get_computers', 'svc_move_computer']) await ask({name, args: {}})
	expect(requests.map(request => request.signal)).toEqual([signal, undefined])
})

test('a value of an argument is no list of lists, however deep', () => {
	const deep: unknown = JSON.parse('['.repeat(10_000) + ']'.repeat(10_000))
	expect(() => givenOf({query: deep})).toThrow('The value of query has to be text')
})
