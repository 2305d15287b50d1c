import type {CommandResult} from '#shared/commands/result.ts'

import {resolved, type Ask} from './names.ts'

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
		if (name === 'svc_get_computers') return {data: Array.from('abcdefg', computer)} as unknown as CommandResult
		if (args['group_guid'] === 'group g') throw new Error('gone')
		return {data: {name: 'Audit'}} as unknown as CommandResult
	}
	const message = expect.stringContaining('several: g (group group g, last seen day g); f (group Audit, last seen day f); ')
	await expect(resolved(asks, {connector_guid: 'fin-1'})).rejects.toMatchObject({code: 'conflict', message})
	await expect(resolved(asks, {connector_guid: 'fin-1'})).rejects.toThrow('c (group Audit, last seen day c); and 2 more. Give the GUID.')
})
