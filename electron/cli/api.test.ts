import {consoleBench} from './testing/console.ts'
import {serviceBench, type ServiceBench} from './testing/service.ts'

const alone = serviceBench({computers: 50, seed: 'api'})
const beside = consoleBench({computers: 50, seed: 'api'})

const json = (bench: ServiceBench, ...argv: string[]) => bench.json('api', ...argv)

test('a running console answers at once, until it is switched off', async () => {
	expect(await json(beside, 'status')).toMatchObject({code: 0, data: {on: false, address: null}})
	const {data} = await json(beside, 'on', '--port', '0')
	const {address} = data
	const made = await json(beside, 'token', 'create', 'soar', '--days', '7')
	const authorization = `Bearer ${made.data.token}`
	const ask = () => fetch(`${address}/api/v1/version`, {headers: {authorization}})
	expect((await ask()).status).toBe(200)
	expect(await json(beside, 'test')).toMatchObject({code: 0, data: {ok: true}})
	const {out} = await beside.cordon(['api', 'token', 'list'])
	expect(out).toMatch(/soar +read +lab +live/)
	expect(out).not.toContain(made.data.token)
	expect(await json(beside, 'test', 'soar')).toMatchObject({code: 0, data: {message: expect.stringContaining('It reaches lab.')}})
	await beside.cordon(['api', 'token', 'revoke', 'soar'])
	expect((await ask()).status).toBe(401)
	expect(await json(beside, 'test', 'soar')).toMatchObject({code: 1, data: {status: 401}})
	expect(await json(beside, 'off')).toMatchObject({code: 0, data: {on: false, address: null}})
	await expect(ask()).rejects.toThrow('fetch failed')
	const {out: log} = await beside.cordon(['log', '--json'])
	expect(log).toContain('The token soar was revoked.')
})

test('without a console it is stored for the next start', async () => {
	expect(await json(alone, 'on', '--socket')).toMatchObject({code: 0, data: {on: true, port: null, address: null}})
	expect(await json(alone, 'token', 'create', 'n8n', '--scope', 'change', '--for', 'lab')).toMatchObject({
		code: 0,
		data: {token: expect.stringMatching(/^cordon_[\w-]{43}$/), scope: 'change', kind: 'program'}
	})
	expect((await alone.cordon(['api', 'token', 'create', 'n8n'])).code).toBe(2)
	expect((await alone.cordon(['api', 'on', '--socket', '--port', '1'])).code).toBe(2)
	expect((await alone.cordon(['api', 'token', 'create', 'x', '--days', '0'])).code).toBe(2)
	expect((await alone.cordon(['api', 'test'])).code).toBe(2)
})
