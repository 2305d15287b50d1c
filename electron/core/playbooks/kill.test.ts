import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {text} from 'node:stream/consumers'
import {setImmediate, setTimeout} from 'node:timers/promises'
import {fileURLToPath} from 'node:url'

import {expect, test} from 'vitest'

import {startSandbox} from '#sandbox/server.ts'
import {random} from '#sandbox/tenant/random.ts'

const script = fileURLToPath(new URL('testing/one-run.ts', import.meta.url))

/** Each kill falls after one to three further changes have arrived, anywhere until what is written down of them. */
test('killed with SIGKILL again and again, every computer is isolated once and every hash listed once', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'playbook-kill-'))
	const sandbox = await startSandbox({port: 0, computers: 200, seed: 'kill', agentDelayMs: 20, budget: 1_000_000})
	const {fleet, tenant} = sandbox.world
	const computers = tenant.hosts
		.filter(host => host.role === 'workstation' && fleet.available(host) && fleet.online(host))
		.filter(host => fleet.isolation(host).status === 'not_isolated')
		.slice(0, 9)
		.map(({guid}) => guid)
	const lists = tenant.lists.filter(({type}) => type === 'simple_custom_detections').map(({guid}) => guid)
	const dice = random('playbook kill', 1)
	const changes = () => sandbox.requests.filter(({method}) => method === 'PUT' || method === 'POST')
	let killed = 0
	let printed = ''
	while (printed === '') {
		const child = spawn(process.execPath, [script, folder, sandbox.url, sandbox.clientId], {stdio: ['pipe', 'pipe', 'inherit']})
		child.stdin.end([sandbox.apiKey, computers.join(','), lists.join(',')].join('\n'))
		const output = text(child.stdout)
		const ended = once(child, 'exit').then(() => true)
		const wanted = changes().length + 1 + dice.int(3)
		let isOver = false
		while (!isOver && changes().length < wanted) isOver = await Promise.race([ended, setTimeout(2, false)])
		for (let turns = dice.int(20); turns > 0; turns -= 1) await setImmediate()
		child.kill('SIGKILL')
		await ended
		if (child.signalCode === 'SIGKILL') killed += 1
		else printed = await output
	}
	expect(killed).toBeGreaterThan(3)
	expect(JSON.parse(printed)).toMatchObject({state: 'completed', because: null})
	const taken = (method: string, part: string): number =>
		sandbox.requests.filter(one => one.method === method && one.path.includes(part) && one.status < 300).length
	expect(computers.map(guid => taken('PUT', guid))).toEqual(computers.map(() => 1))
	expect(lists.map(guid => taken('POST', guid))).toEqual(lists.map(() => 1))
	await sandbox.stop()
	rmSync(folder, {recursive: true, force: true})
}, 120_000)
