/** A live event stream through a real broker: its state and lag on Automation, in the frame and on Events. */
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'

import {rabbitMissing, startRabbit} from '#core/streams/testing/rabbitmq.ts'
import {connectRabbit} from '#sandbox/testing/amqp.ts'
import {startSandbox} from '#sandbox/server.ts'

import {expect, test, usualSetup} from './fixtures.ts'
import {goTo} from './jobs.ts'
import {button, link, region, shows, isShown, says} from './screens.ts'

const missing = rabbitMissing()
test.skip(missing !== null, missing ?? '')
test.use({setup: {...usualSetup, connection: 'none', console: ['--no-sandbox']}})

test('a stream is created, shows its lag in the frame and on Events, and is deleted', async ({page, app}) => {
	const rabbit = await startRabbit()
	const broker = await connectRabbit(rabbit.access)
	const service = await startSandbox({port: 0, computers: 60, broker})
	const file = async (name: string, text: string) => {
		const path = join(app.profile, '..', name)
		await writeFile(path, text, {mode: 0o600})
		return path
	}
	const at = ['--server', service.url, '--client-id', service.clientId, '--ca-file', await file('ca.pem', rabbit.access.ca)]
	const key = ['--api-key-file', await file('key', service.apiKey)]
	const added = await app.cli('connections', 'add', 'lab', ...at, ...key, '--writable')
	expect(added.code, added.stderr).toBe(0)
	await goTo(page, '/automation')
	const streams = region(page, 'Event stream', true)
	await button(streams, 'Create event stream').click()
	await says(streams, 'live')
	const {tenant, events} = service.world
	const [host] = tenant.hosts
	if (host === undefined) throw new Error('the tenant has no computers')
	events.add(host, host.group, Date.now(), 1_090_519_054)
	await isShown(link(page, /^Events live, \d/))
	await goTo(page, '/events')
	await shows(page, /live, last message .* after it happened/)
	const own = await app.cli('stream', 'delete')
	expect(own.code, own.stderr).toBe(0)
	await broker.stop()
	await service.stop()
	await rabbit.stop()
})
