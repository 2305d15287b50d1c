/** The host hashes over the router: only a ticket of its own window leads to a file. */
import {hash} from 'node:crypto'
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'

import {createRouterClient, type RouterClient} from '@orpc/server'

import type {HashStep} from '#contract/editor.ts'

import type {App} from '../app.ts'
import {startApp} from '#gateway/instances/testing/app.ts'
import type {ChosenFiles, Ports} from '#base/ports.ts'
import type {AppRouter} from '../router.ts'
import {testPorts, type TestPorts} from '#base/testing/ports.ts'

const ticket = '0123456789abcdef0123456789abcdef'

let ports: TestPorts
let app: App

afterEach(async () => {
	await app.stop()
	ports.remove()
})

async function clientOn(host: Ports['host'], chosenFiles?: ChosenFiles) {
	ports = testPorts({host})
	app = await startApp({...ports, chosenFiles}, {console: false})
	return createRouterClient(app.router)
}

async function hashed(client: RouterClient<AppRouter>, given: string) {
	const steps: HashStep[] = []
	const stream = await client.editor.hashFile({ticket: given})
	for (let step = await stream.next(); step.done !== true; step = await stream.next()) steps.push(step.value)
	return steps
}

test('a chosen file is hashed from its path, once', async () => {
	const paths = new Map<string, string>()
	const client = await clientOn('desktop', {
		take: given => {
			const path = paths.get(given)
			paths.delete(given)
			return path
		}
	})
	const path = join(ports.profile, 'dropped.exe')
	writeFileSync(path, 'MZ')
	paths.set(ticket, path)
	const sha256 = hash('sha256', 'MZ', 'hex')
	expect(await hashed(client, ticket)).toEqual([{kind: 'hashed', sha256}])
	await expect(hashed(client, ticket)).rejects.toMatchObject({data: {code: 'not_found'}})
})

test('a page in a browser reads no file of the host', async () => {
	const client = await clientOn('headless')
	await expect(hashed(client, ticket)).rejects.toMatchObject({data: {code: 'not_found'}})
	for (const path of ['/etc/passwd', join(ports.profile, 'profile.db'), `../${ticket}`, ''])
		await expect(hashed(client, path)).rejects.toMatchObject({data: {code: 'invalid_argument'}})
	const named = {ticket, path: '/etc/passwd'} as {ticket: string}
	await expect(client.editor.hashFile(named)).rejects.toMatchObject({data: {code: 'not_found'}})
})

test('an error while it is read is reported without the path', async () => {
	const client = await clientOn('desktop', {take: () => join(ports.profile, 'nothing-here')})
	const failed: unknown = await hashed(client, ticket).catch((error: unknown) => error)
	expect(failed).toMatchObject({data: {code: 'invalid_argument', message: 'The file is not there any more.'}})
	expect(JSON.stringify(failed)).not.toContain('nothing-here')
})
