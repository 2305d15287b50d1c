import type {CommandResult} from '#shared/commands/result.ts'

import {resolved, type Ask} from './program.ts'

test('more names than can be looked up are refused before one is', async () => {
	const asks = () => expect.unreachable('asked')
	const refusal = {code: 'usage', details: {field: 'connector_guid'}}
	await expect(resolved(asks, {connector_guid: Array(101).fill('a').join(',')})).rejects.toMatchObject(refusal)
	const guids = Array(101).fill('aaaaaaaa-0000-4000-8000-000000000001').join(',')
	expect((await resolved(asks, {connector_guid: guids}))['connector_guid']).toHaveLength(101)
})

test('an ambiguous name is refused with what tells its computers apart', async () => {
	const computer = (guid: string) => ({hostname: 'FIN-1', connector_guid: guid, group_guid: `group ${guid}`, last_seen: `day ${guid}`})
	const asks = async ({name, args}: Parameters<Ask>[0]) => {
		if (name === 'svc_get_computers') return {data: ['a', 'b'].map(computer)} as unknown as CommandResult
		if (args['group_guid'] === 'group b') throw new Error('gone')
		return {data: {name: 'Audit'}} as unknown as CommandResult
	}
	const message = expect.stringContaining('several: a (group Audit, last seen day a); b (group group b, last seen day b). Give the GUID.')
	await expect(resolved(asks, {connector_guid: 'fin-1'})).rejects.toMatchObject({code: 'conflict', message})
})
