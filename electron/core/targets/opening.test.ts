import {createServer} from 'node:https'

import {systemClock as clock} from '#base/system.ts'
import {openPort} from '#base/testing/port.ts'
import {makeAuthority} from '#core/service/api/testing/certificates.ts'
import {openFileTarget} from './file.ts'
import {openWebhook} from './webhook.ts'

const host = {clock, secret: 's'.repeat(16), signal: AbortSignal.timeout(60_000), delivered() {}, refuse() {}, fail() {}}

test.skipIf(process.platform === 'win32')('a device or a pipe in place of a file is refused', async () => {
	const to = {kind: 'file', path: '/dev/null', rotateBytes: 65_536, keep: 1} as const
	await expect(openFileTarget(to, host)).rejects.toThrow('/dev/null is not a regular file')
})

test('a webhook with an unknown certificate gets nothing, whatever the environment says', async () => {
	vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
	const server = createServer(await (await makeAuthority()).issue('localhost'), (_request, response) => void response.end())
	const url = `https://localhost:${await openPort(server)}`
	const session = await openWebhook({kind: 'webhook', url, ca: null, private: true}, host)
	const item = {position: 1, id: 'one', kind: 'note', at: '', severity: 0, body: '{}'}
	await expect(session.send({source: 'log', upTo: 1, items: [item]})).rejects.toThrow('certificate')
	await session.close()
	server.close()
})
