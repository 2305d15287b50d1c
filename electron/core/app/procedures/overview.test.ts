import {createRouterClient} from '@orpc/server'

import {startSandbox} from '#sandbox/server.ts'

import {startApp} from '#gateway/instances/testing/app.ts'
import {testPorts} from '#base/testing/ports.ts'

test('the overview shows local data and sends nothing to the service', async () => {
	const sandbox = await startSandbox({port: 0, computers: 30, seed: 'overview'})
	const ports = testPorts()
	const app = await startApp(ports, {
		// No background reading.
		console: false,
		sandbox: {url: sandbox.url, clientId: sandbox.clientId, apiKey: sandbox.apiKey},
	})
	try {
		const client = createRouterClient(app.router)
		const [connection] = await client.connections.list()
		const on = {connection: connection?.id ?? ''}
		await client.computers.refresh(on)
		await client.events.refresh(on)
		sandbox.clearRequests()
		const runs = vi.spyOn(app.deps.playbooks, 'runs')
		const overview = await client.overview(on)
		expect(runs).toHaveBeenCalledWith(expect.objectContaining({connections: [on.connection]}))
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
		await app.stop()
		await sandbox.stop()
		ports.remove()
	}
})
