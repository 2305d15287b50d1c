/** A process of its own that begins a run of a playbook, or goes on with it, and prints what happened to it. */
import {text} from 'node:stream/consumers'

import {createRunner} from '#core/actions/commands/runner.ts'
import {openProfile} from '#core/app/profile.ts'
import {systemClock, systemRandom} from '#core/base/system.ts'
import {memorySecrets} from '#core/base/testing/ports.ts'
import {createEngine} from '#core/engine/engine.ts'
import {createApiClient} from '#core/service/api/client.ts'
import {compose} from '../compose.ts'
import {openPlaybooks} from '../playbooks.ts'

const [profileFolder = '', url = '', clientId = ''] = process.argv.slice(2)
const [apiKey = '', computers = '', lists = ''] = (await text(process.stdin)).split('\n')

const drill = compose({
	...{name: 'Drill', description: 'Isolates and blocks.', labels: ['drill']},
	inputs: {computers: ['string', ''], lists: ['string', '']},
	lines: [
		[
			'do',
			'Isolate',
			'POST /commands/svc_put_computers_isolation?each=connector_guid',
			{connector_guid: '__computers__:value', comment: 'Drill'},
		],
		[
			'do',
			'Block',
			'POST /commands/svc_set_file_list_files_by_sha?each=file_list_guid',
			{file_list_guid: '__lists__:value', sha256: 'ab'.repeat(32), reason: 'Drill'},
		],
	],
})

const ports = {
	host: 'cli',
	...{profile: profileFolder, operator: 'kim', clock: systemClock, random: systemRandom},
	...{secrets: memorySecrets(), proxyEnvironment: {}, notify: () => undefined},
} as const
const profile = openProfile(ports, {createClient: createApiClient, userAgent: 'Cordon/test'})
const {connections, log, locks, guards, custody} = profile
const {id: connection} = connections.addTransient({
	...{name: 'service', url, clientId, apiKey, insecure: true, colour: 'grey', environment: 'test'},
	...{readOnly: false, proxy: null, ca: null},
})
const onTrouble = (message: string, error: unknown): void => void process.stderr.write(`${message} ${String(error)}\n`)
const runs = createEngine({store: profile.runs, clock: systemClock, random: systemRandom, onTrouble})
const playbooks = openPlaybooks({
	...{runs, connections, log, clock: systemClock, operator: 'kim', onTrouble, library: () => [drill]},
	database: () => profile.database,
	runner: createRunner({clock: systemClock, connections, log, locks, guards, custody}),
})
const {rows} = await playbooks.runs({offset: 0, limit: 1})
const [known] = rows
const variables = {__computers__: computers, __lists__: lists}
const id = known?.id ?? (await playbooks.start({playbook: 'Drill', connection, variables})).id
if (known?.state === 'interrupted') await playbooks.resume(id)
const {state, because, steps} = await playbooks.settled(id)
process.stdout.write(JSON.stringify({state, because, steps: steps.length}))
await runs.stop()
await profile.stop()
