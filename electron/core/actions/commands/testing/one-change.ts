/** A process that carries out one change: profile, service and computer from its arguments, the API key from stdin. */
import {text} from 'node:stream/consumers'

import {cliProfile} from './cli-profile.ts'

const [folder = '', url = '', clientId = '', guid = ''] = process.argv.slice(2)
const {profile, runner} = cliProfile(folder)
const apiKey = (await text(process.stdin)).trim()
const {id} = profile.connections.addTransient({
	name: url,
	url,
	clientId,
	apiKey,
	insecure: false,
	colour: 'grey',
	environment: 'test',
	readOnly: false,
})
await runner.run({
	name: 'svc_put_computers_isolation',
	args: {connector_guid: guid, comment: 'Beaconing'},
	connection: id,
	surface: 'cli',
})
await profile.stop()
