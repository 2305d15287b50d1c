import {resolved} from './program.ts'

test('more names than can be looked up are refused before one is', async () => {
	const asks = () => expect.unreachable('asked')
	const refusal = {code: 'usage', details: {field: 'connector_guid'}}
	await expect(resolved(asks, {connector_guid: Array(101).fill('a').join(',')})).rejects.toMatchObject(refusal)
	const guids = Array(101).fill('aaaaaaaa-0000-4000-8000-000000000001').join(',')
	expect((await resolved(asks, {connector_guid: guids}))['connector_guid']).toHaveLength(101)
})
