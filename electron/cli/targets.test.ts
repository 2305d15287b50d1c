import {readFileSync} from 'node:fs'
import {join} from 'node:path'

import {testFolder} from '#base/testing/folder.ts'
import {startServiceBench, type ServiceBench} from './testing/service.ts'

let bench: ServiceBench
let folder: string
beforeEach(async () => {
	bench = await startServiceBench({computers: 5})
	folder = testFolder()
})
afterEach(() => bench.stop())

test('a target is added, sent to until Ctrl-C, shown, changed and removed', async () => {
	const path = join(folder, 'out.jsonl')
	const add = ['targets', 'add', 'siem', '--file', path, '--text', 'target', '--format', 'as_is', '--from-beginning']
	expect(await bench.cordon(add)).toMatchObject({code: 0, out: expect.stringContaining('Added the target siem.')})
	expect((await bench.cordon(['targets', 'list'])).out).toMatch(/siem +\S*out\.jsonl +off +[1-9]/)
	const stopping = new AbortController()
	const onOut = (out: string) => (out.includes('siem live, 0 ') ? stopping.abort() : undefined)
	expect(await bench.cordon(['targets', 'run'], {signal: stopping.signal, onOut})).toMatchObject({code: 0})
	expect(readFileSync(path, 'utf8')).toMatch(/^\{"seq":\d+,[^\n]*Added the target siem\.[^\n]*\}\n$/)
	expect((await bench.cordon(['targets', 'refused', 'siem'])).out).toContain('refused nothing')
	expect((await bench.cordon(['targets', 'test', 'siem'])).out).toContain('accepted the test message')
	for (const option of ['--ca-file', '--secret-file'])
		expect(await bench.cordon(['targets', 'set', 'siem', option, path])).toMatchObject({code: 2})
	const once = (...options: string[]) => {
		const told = new AbortController()
		return bench.cordon(['targets', 'run', ...options], {signal: told.signal, onOut: () => told.abort()})
	}
	expect(JSON.parse((await once('--jsonl')).out)).toMatchObject({definition: {name: 'siem'}})
	expect(await bench.cordon(['targets', 'disable', 'SIEM'])).toMatchObject({code: 0})
	expect(await bench.cordon(['targets', 'remove', 'siem'])).toMatchObject({code: 0})
	expect(await bench.cordon(['targets', 'test', 'siem'])).toMatchObject({code: 3})
	expect(await bench.cordon(['targets', 'set', 'siem', '--log'])).toMatchObject({code: 3})
	expect(await once()).toMatchObject({code: 0, out: 'No targets.\n'})
})

test('a webhook gets a signing secret that is shown once', async () => {
	const added = await bench.cordon(['targets', 'add', 'hook', '--webhook', 'https://siem.example/in', '--events'])
	expect(added.out).toMatch(/shown this once: whsec_[A-Za-z0-9+/=]{44}/)
	const set = async (...options: string[]) => (await bench.json('targets', 'set', 'hook', ...options)).data
	const changed = await set('--filter', 'severity:high')
	expect(changed).not.toHaveProperty('secret')
	expect(changed.definition.events.filter).toBe('severity:high')
	await set('--changes-only')
	expect((await set('--text', 'a')).definition.log).toEqual({text: 'a', changesOnly: true})
	expect((await set('--log')).definition.log).toEqual({text: 'a', changesOnly: false})
	const none = ['targets', 'add', 'none', '--log']
	expect(await bench.cordon(none)).toMatchObject({code: 2})
	expect((await bench.cordon([...none, '--syslog', 'a:99999'])).err).toContain('port is wrong.')
})
