import {startWorld} from '#gateway/instances/testing/app.ts'
import type {PlaybookRun} from '#model/playbook.ts'

test('the overview shows local data and sends nothing to the service', async () => {
	// No background reading.
	const {app, client, sandbox, stop} = await startWorld({computers: 30, seed: 'overview'}, {console: false})
	try {
		const [connection] = await client.connections.list()
		const on = {connection: connection?.id ?? ''}
		await client.computers.refresh(on)
		await client.events.refresh(on)
		sandbox.clearRequests()
		const runs = vi.spyOn(app.deps.playbooks, 'runs')
		const overview = await client.overview(on)
		expect(runs).toHaveBeenCalledWith(expect.objectContaining({connections: [on.connection]}))
		const waits = {connection: on.connection, state: 'waiting'} as PlaybookRun
		runs.mockImplementation(async ({limit}) => ({rows: Array.from({length: Math.min(130, limit)}, () => waits), matching: 130}))
		expect((await client.overview(on)).attention.find(({kind}) => kind === 'playbook_waits')?.count).toBe(130)
		expect(overview.tiles.find(({kind}) => kind === 'computers')?.count).toBe(30)
		expect(overview.eventsAt).not.toBeNull()
		expect(overview.groups.reduce((sum, {computers}) => sum + computers, 0)).toBe(30)
		expect(sandbox.requests).toEqual([])
		expect(overview.attention.map(({kind}) => kind)).not.toContain('list_uncovered')

		await client.directory.refresh({...on, details: true})
		const uncovered = (await client.overview(on)).attention.find(({kind}) => kind === 'list_uncovered')
		// An empty list does no harm.
		expect(uncovered?.names).toContain('Ransomware indicators')
		expect(uncovered?.names).not.toContain('Empty blocking list')
		expect(uncovered?.open).toBe('/file-lists')
	} finally {
		await stop()
	}
})
