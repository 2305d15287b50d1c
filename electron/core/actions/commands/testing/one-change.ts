/** A process that carries out one change: profile, service and computer from its arguments, the API key from stdin. */
import {text} from 'node:stream/consumers'

import {createApiClient} from '#core/service/api/client.ts'
import {openProfile} from '#core/app/profile.ts'
import {systemClock, systemRandom} from '#core/base/system.ts'
import {memorySecrets} from '#core/base/testing/ports.ts'
import {createRunner} from '../runner.ts'

const [folder = '', url = '', clientId = '', guid = ''] = process.argv.slice(2)
const profile = openProfile(
	{
		host: 'cli',
		profile: folder,
		operator: 'kim',
		secrets: memorySecrets(),
		clock: systemClock,
		random: systemRandom,
		proxyEnvironment: {},
		notify: () => undefined,
	},
	{createClient: createApiClient, userAgent: 'Cordon/test'},
)
const {connections, log, locks, guards, escrow} = profile
const apiKey = (await text(process.stdin)).trim()
const {id} = connections.addTransient({
	name: url,
	url,
	clientId,
	apiKey,
	insecure: false,
	colour: 'grey',
	environment: 'test',
	readOnly: false,
})
const runner = createRunner({clock: systemClock, connections, log, locks, guards, escrow})
await runner.run({
	name: 'svc_put_computers_isolation',
	args: {connector_guid: guid, comment: 'Beaconing'},
	connection: id,
	surface: 'cli',
})
await profile.stop()
