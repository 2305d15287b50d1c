/**
 * The whole profile on the headless host's secret store: what is stored, what leaks, how fast it opens, two processes at once.
 */
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {readdirSync, readFileSync, statSync} from 'node:fs'
import {join} from 'node:path'

import {testFolder} from '#base/testing/folder.ts'
import {createApiClient} from '#core/service/api/client.ts'
import type {Ports} from '#base/ports.ts'
import {openProfile, type Profile} from '#core/app/profile.ts'
import {systemClock, systemRandom} from '#base/system.ts'
import {connectionInputSchema} from '#model/connection.ts'

import {openSecretVault} from '../secrets/vault.ts'

const canary = 'canary-0b9d6f2e'

let folder: string
const opened: Profile[] = []
beforeEach(() => void (folder = testFolder()))
afterEach(async () => {
	for (const profile of opened.splice(0)) await profile.stop()
})

function open() {
	const ports: Ports = {
		host: 'headless',
		profile: folder,
		operator: 'ada',
		secrets: openSecretVault({folder, random: systemRandom}),
		clock: systemClock,
		random: systemRandom,
		proxyEnvironment: {},
		notify: () => {}
	}
	const profile = openProfile(ports, {createClient: createApiClient, userAgent: 'Cordon/test'})
	opened.push(profile)
	return profile
}

const input = connectionInputSchema.parse({name: 'Acme', url: 'http://127.0.0.1:9', clientId: 'a1b2', apiKey: canary})

async function messageOf(work: () => unknown) {
	try {
		await work()
		return ''
	} catch (error) {
		return `${String(error)} ${JSON.stringify(error)}`
	}
}

test('an API key appears in no file, entry or error', async () => {
	const {connections, log, history} = open()
	const {id} = await connections.add(input)
	history.remember(`svc_get_version api_key=${canary}`)
	const errors = [
		await messageOf(() => connections.add(input)),
		await messageOf(() => connections.add({...input, name: '', url: 'https://x'})),
		await messageOf(() => connections.update(id, {url: `https://x/${'y'}`, apiKey: canary})),
		await messageOf(async () => await log.append({kind: 'note', surface: 'cli', message: 'x', data: {api_key: canary}})),
		await messageOf(() => connections.client(id).call({method: 'GET', path: ['version']}, {deadlineMs: 1}))
	]
	for await (const result of connections.test({id}, new AbortController().signal)) errors.push(JSON.stringify(result))
	await connections.update(id, {name: 'Beta', apiKey: canary})
	connections.setLocked(id, true)
	expect(errors.filter(text => text === '')).toEqual([])
	expect(errors.join()).not.toContain(canary)
	expect(JSON.stringify(await Array.fromAsync(log.export({}, 'jsonl')))).not.toContain(canary)
	const encodings = [canary, Buffer.from(canary).toString('base64'), Buffer.from(`a1b2:${canary}`).toString('base64')]
	// Including sidecar files that exist only while the databases are open.
	for (const file of readdirSync(folder)) {
		const content = readFileSync(join(folder, file), 'latin1')
		expect(encodings.filter(text => content.includes(text)).map(text => `${file}: ${text}`)).toEqual([])
	}
})

test('every file is private to its owner', async () => {
	const profile = open()
	await profile.connections.add(input)
	await profile.log.query({text: 'acme', limit: 1})
	expect(readdirSync(folder).filter(file => (statSync(join(folder, file)).mode & 0o077) !== 0)).toEqual([])
})

test('nothing is opened that is not used, and a second stop does nothing', async () => {
	const profile = open()
	expect(readdirSync(folder)).toEqual([])
	await profile.log.append({kind: 'note', surface: 'cli', message: 'x'})
	expect(readdirSync(folder).filter(file => file.endsWith('.db'))).toEqual(['incidents.db'])
	await profile.stop()
	await profile.stop()
	expect(readdirSync(folder)).toEqual(['incidents.db'])
})

test('connections, settings and locks are there again after a restart', async () => {
	const first = open()
	const {id} = await first.connections.add({...input, readOnly: false})
	first.connections.setLocked(id, true)
	first.settings.set({theme: 'dark'})
	first.locks.acquire({connection: id, target: 't', command: 'c', intent: 'i'})
	await first.stop()
	const second = open()
	expect(second.connections.mode(id)).toMatchObject({because: 'locked'})
	expect(second.settings.get().theme).toBe('dark')
	second.locks.acquire({connection: id, target: 't', command: 'c', intent: 'i2'})()
})

test('a read-only production connection becomes read-write by its typed name and a reason, which the log keeps', async () => {
	const {connections, log} = open()
	const {id} = await connections.add(input)
	const agreed = {confirm: 'Acme', reason: 'CHG-7: patch night'}
	const become = (agreement?: typeof agreed, change = {}) => connections.update(id, {readOnly: false, ...change}, agreement)
	const needed = (field: string) => ({code: 'confirmation_needed', details: {field}})
	for (const given of [undefined, {...agreed, reason: ' '}]) await expect(become(given)).rejects.toMatchObject(needed('reason'))
	await expect(become({...agreed, confirm: 'acme eu'})).rejects.toMatchObject(needed('confirm'))
	// Declaring it a test connection in the same change does not count.
	await expect(become(undefined, {environment: 'test'})).rejects.toMatchObject(needed('reason'))
	expect(connections.find(id)).toMatchObject({readOnly: true, environment: 'production'})
	await become(agreed)
	expect(connections.find(id).readOnly).toBe(false)
	expect((await log.query({limit: 1})).entries[0]?.data).toMatchObject({after: {readOnly: false}, reason: agreed.reason})
	const lab = await connections.add({...input, name: 'Lab', environment: 'lab'})
	expect(await connections.update(lab.id, {readOnly: false})).toMatchObject({readOnly: false})
})

test('four processes may open a new profile at the same moment', async () => {
	const script = `
    const { openProfileDatabase } = await import(${JSON.stringify(new URL('../core/store/profile-schema.ts', import.meta.url).href)});
    const { openIncidentLog } = await import(${JSON.stringify(new URL('../core/record/incidents/log.ts', import.meta.url).href)});
    const { systemClock, systemRandom } = await import(${JSON.stringify(new URL('../core/base/system.ts', import.meta.url).href)});
    const database = openProfileDatabase(${JSON.stringify(folder)});
    const log = openIncidentLog({ path: ${JSON.stringify(join(folder, 'incidents.db'))}, clock: systemClock, random: systemRandom, operator: 'ada' });
    await log.append({ kind: 'note', surface: 'cli', message: 'here' });
    await log.stop();
    database.close();`
	const children = Array.from({length: 4}, () =>
		spawn(process.execPath, ['--input-type=module', '-e', script], {stdio: ['ignore', 'ignore', 'inherit']})
	)
	const codes = await Promise.all(children.map(async child => (await once(child, 'exit'))[0]))
	expect(codes).toEqual([0, 0, 0, 0])
	expect((await open().log.query({limit: 10})).matching).toBe(4)
})
