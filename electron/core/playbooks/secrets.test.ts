import {createServer} from 'node:http'
import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'

import {openPort} from '#base/testing/port.ts'
import {refused} from '#base/testing/code-of.ts'
import {openBench} from '#core/actions/commands/testing/bench.ts'
import {openMachine} from '#core/engine/testing/process.ts'
import {memorySecrets} from '#core/service/connections/testing/secrets.ts'
import {compose} from './compose.ts'
import {openPlaybooks} from './playbooks.ts'
import {playbookSecrets} from './secrets.ts'

const value = 'TopSecretValue123'
const unused = () => Promise.reject(new Error('unused'))

test('a secret reaches its origin, and stands in no document, run, log, export or dry run', async () => {
	const seen: string[] = []
	const server = createServer((request, response) => {
		seen.push(String(request.headers.authorization))
		response.end(JSON.stringify({you: request.headers.authorization}))
	})
	const origin = `http://127.0.0.1:${await openPort(server)}`
	const bench = await openBench({computers: 10, seed: 'secrets'})
	const machine = openMachine(bench.profile.runs, bench.ports.clock)
	try {
		const {connections, log, database} = bench.profile
		const ports = {...bench.ports, secrets: memorySecrets()}
		const secrets = playbookSecrets(ports, log)
		const engine = machine.start([])
		const playbooks = openPlaybooks({
			...{runs: engine, connections, log, clock: bench.ports.clock, operator: 'kim', library: () => []},
			...{database: () => database, runner: {run: unused, foresee: unused}, onTrouble: () => {}},
			...{origins: () => [`${origin} private`], secretOf: secrets.read}
		})
		const made = compose({...{name: 'Ticket', description: '', labels: ['drill'], inputs: {}}, lines: [['do', 'Ask', 'GET /t']]})
		const [target = ''] = Object.keys(made.target_definitions ?? {})
		const headers = {Authorization: ['Bearer $secret:tickets']}
		const document = {
			...made,
			target_definitions: {[target]: {type: 'http-api', name: 'Tickets', address: {url: [`${origin}/tickets.api`]}}},
			workflow: JSON.parse(
				JSON.stringify(made.workflow).replace('"type":"http-api"', `"type":"http-api","headers":${JSON.stringify(headers)}`)
			) as typeof made.workflow
		}
		await playbooks.add(JSON.stringify(document))
		const play = async () => await playbooks.settled((await playbooks.start({playbook: 'Ticket', variables: {}})).id)

		await secrets.set({name: 'tickets', origin: 'https://tickets.example.org', value}, 'cli')
		expect(await play()).toMatchObject({state: 'failed', because: expect.stringContaining('not stored for http://127.0.0.1')})
		expect(seen).toEqual([])
		await secrets.set({name: 'tickets', origin, value}, 'cli')
		const run = await play()
		expect(run).toMatchObject({state: 'completed', steps: [{output: '{"you":"Bearer [secret tickets]"}'}]})
		const dry = await playbooks.dryRun({playbook: 'Ticket', variables: {}}, new AbortController().signal)
		expect(seen).toEqual([`Bearer ${value}`, `Bearer ${value}`])
		const told = [run, dry, await playbooks.exportRun(run.id), await log.query({limit: 1000}), await secrets.list()]
		expect(JSON.stringify(told)).not.toContain(value)
		const folder = bench.ports.profile
		const files = readdirSync(folder, {recursive: true, encoding: 'utf8', withFileTypes: true}).filter(one => one.isFile())
		expect(files.length).toBeGreaterThan(1)
		for (const {parentPath, name} of files) expect(readFileSync(join(parentPath, name)).includes(value), name).toBe(false)
		// Two processes.
		const two = [secrets, playbookSecrets(ports, log)].map((one, at) => one.set({name: `more-${at}`, origin, value}, 'cli'))
		await Promise.all(two)
		expect((await secrets.list()).map(({name}) => name).toSorted()).toEqual(['more-0', 'more-1', 'tickets'])
		await secrets.remove('tickets', 'cli')
		expect(await secrets.read('tickets', origin)).toBeUndefined()
		// A step that would change something after a reading that fails did not reach it.
		const reading = JSON.stringify({type: 'http-api', command: 'GET /t HTTP/1.1', headers})
		const changing = JSON.stringify({...document, modified: '2027-01-01T00:00:00.000Z'}).replace('GET /t', 'POST /t')
		await playbooks.add(changing.replace('"commands":[', `"commands":[${reading},`))
		const half = await playbooks.dryRun({playbook: 'Ticket', variables: {}}, new AbortController().signal)
		expect(half).toMatchObject({changes: 0, open: 1})
		for (const wrong of [{name: 'a b'}, {origin: 'tickets'}, {value: 'short'}, {value: 'with\r\nline feed'}])
			expect(await refused(secrets.set({name: 'a', origin, value, ...wrong}, 'cli'))).toMatchObject({code: 'invalid_argument'})
	} finally {
		await machine.stop()
		await bench.close()
		await new Promise(resolve => void server.close(resolve))
	}
})
