import {readParameters} from '#model/server-parameter.ts'

import {wantedOf, type WantedDependencies} from './console.ts'
import {forwardedOf} from './forwarder-config.ts'
import {instanceOf} from './testing/definitions.ts'

type Authority = Awaited<ReturnType<WantedDependencies['certificates']['authority']>>

async function wants(isPublic: boolean, more: Partial<WantedDependencies> = {}, credentials = () => ({certificate: '', key: ''})) {
	const instance = instanceOf({name: 'edl', listenPort: 9000})
	// The two parts used.
	const authority = {isPublic: () => isPublic, credentials} as Authority
	const stored = [{instance, verifiers: {users: [], tokens: []}, restarts: 0}]
	return wantedOf({
		snapshot: {revision: 1, stored, instances: [instance], parameters: {}, ...readParameters({}, ['edl'])},
		healthOf: () => ({state: 'healthy', reason: null, since: '', checkedAt: null}),
		keys: {read: () => expect.fail('no key is needed'), during: () => expect.fail('nothing is stored')},
		certificates: {authority: async () => authority},
		own: {hostnames: [], addresses: []},
		onProblem: (_, problem) => expect(problem).toBeNull(),
		...more
	})
}

test('browsers get HSTS only with a certificate of a public authority', async () => {
	for (const isPublic of [true, false]) expect((await wants(isPublic))?.config.strictTransportSecurity).toBe(isPublic)
})

test('without a usable certificate the one in use is shown on, under the new configuration', async () => {
	const none = () => {
		throw new Error('none')
	}
	const inUse = {certificate: 'c', key: 'k'}
	const onUnusable = vi.fn<(error: unknown) => void>()
	expect(await wants(false, {inUse, onUnusable}, none)).toMatchObject({credentials: inUse, config: {instances: [{name: 'edl'}]}})
	expect(onUnusable).toHaveBeenCalledWith(new Error('none'))
	await expect(wants(false, {}, none)).rejects.toThrow('none')
})

test('the origin of answers is another with another program, not with other settings of it', () => {
	const originOf = (more: Partial<Parameters<typeof instanceOf>[0]>) =>
		forwardedOf(instanceOf({name: 'edl', listenPort: 9000, ...more}, 'id'), 'healthy', {kind: 'none'}).origin
	const list = (type: 'ip' | 'url', text = '') =>
		originOf({program: {kind: 'builtin', builtin: {service: 'list', type, sources: [{kind: 'text', text}]}}})
	const run = (command: string) => originOf({program: {kind: 'managed', command: [command]}})
	const all = [originOf({}), originOf({listenPort: 9001}), originOf({host: '::1'}), run('a'), run('b'), list('ip'), list('url')]
	expect(new Set(all).size).toBe(all.length)
	expect(all).toContain(originOf({name: 'other', serveStaleS: 60}))
	expect(all).toContain(list('ip', '192.0.2.1'))
})
