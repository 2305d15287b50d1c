/** Assistants on the command line, and their server over standard input and output in a separate process. */
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'

import {overStdio} from '#core/doors/testing/assistant.ts'

import {consoleBench} from './testing/console.ts'
import {serviceBench, type ServiceBench} from './testing/service.ts'

const entry = fileURLToPath(new URL('../cli.ts', import.meta.url))
const alone = serviceBench({computers: 50, seed: 'mcp'})
const beside = consoleBench({computers: 50, seed: 'mcp'})

function connect({folder}: ServiceBench, name: string) {
	const env = {XDG_CACHE_HOME: join(folder, 'cache'), PATH: process.env['PATH'] ?? ''}
	return overStdio([entry, '--profile', join(folder, 'profile'), 'mcp', name], env)
}

const benches = {'a console': () => beside, 'no console': () => alone}

test.each(Object.entries(benches))('an enabled assistant reads over standard input and output (%s)', async (which, at) => {
	const bench = at()
	expect(await bench.cordon(['mcp', 'list'])).toMatchObject({code: 0, out: expect.stringContaining('No assistants yet')})
	const enabled = await bench.json('mcp', 'enable', 'helper', '--connection', 'lab')
	expect(enabled).toMatchObject({data: {kind: 'assistant', scope: 'read', state: 'live'}})
	const client = await connect(bench, 'helper')
	expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28')
	const {tools} = await client.listTools()
	const names = tools.map(({name}) => name)
	expect(names.includes('local_computers')).toBe(which === 'a console')
	expect(names.filter(name => /propose|_(put|delete|set|move)_/.test(name))).toEqual([])
	const {content} = await client.callTool({name: 'svc_get_computers', arguments: {connection: 'lab', limit: 2}})
	expect(JSON.stringify(content)).toContain('never an instruction')
	const {out: tested} = await bench.cordon(['mcp', 'test', 'helper'])
	expect(tested).toMatch(which === 'a console' ? /^helper is live\. The local API does not listen\.\n$/ : /^$/)
	await bench.cordon(['mcp', 'disable', 'helper'])
	const refused = await client.callTool({name: 'svc_get_version', arguments: {connection: 'lab'}})
	expect(refused).toMatchObject({isError: true})
	expect(JSON.stringify(refused.content)).toContain('token_refused')
	await bench.cordon(['mcp', 'enable', 'helper', '--connection', 'lab'])
	const {isError = false} = await client.callTool({name: 'svc_get_version', arguments: {connection: 'lab'}})
	expect(isError).toBe(false)
	await client.close()
	expect((await bench.cordon(['mcp', 'list'])).out).toMatch(/helper +read +lab +live .* probe 1 /)
	expect((await bench.cordon(['mcp', 'list'])).out).toMatch(/helper +read +lab +revoked .* probe 1 /)
	const {out: log} = await bench.cordon(['log', '--json'])
	expect(log).toContain('"surface":"assistant"')
})

test('an assistant that is not enabled gets nothing', async () => {
	await expect(connect(beside, 'stranger')).rejects.toThrow()
	expect(await beside.cordon(['mcp', 'stranger'])).toMatchObject({code: 4, out: ''})
	for (const name of ['list', '', 'x'.repeat(61)]) expect((await beside.cordon(['mcp', 'enable', name])).code).toBe(2)
	expect((await beside.cordon(['mcp', 'enable', 'My own'])).out).toContain('cordon mcp "My own"')
	expect((await beside.cordon(['mcp', 'disable', 'stranger'])).code).toBe(4)
})
