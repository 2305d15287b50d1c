import fc from 'fast-check'

import {instanceNameSchema} from '#model/instance.ts'

import type {AccessRule, ForwardedInstance} from '../types.ts'
import {instanceOf} from '../testing/heads.ts'
import {haproxyConfig} from './haproxy.ts'
import {nginxConfig} from './nginx.ts'
import {ask, complaintsOf, isInstalled, startEngine} from './testing/engines.ts'
import {part} from './testing/parts.ts'

const makers = {nginx: nginxConfig, haproxy: haproxyConfig}
const place = {listen: {host: '::', port: 443}, certificate: {certificateFile: '/a', keyFile: '/b'}, folder: '/c'}

/** First words of all configuration lines, to which no value may add. */
function directives(engine: 'nginx' | 'haproxy', instances: ForwardedInstance[]) {
	const {text} = makers[engine]({...part(instances), ...place})
	const plain = engine === 'nginx' ? text.replaceAll(/"(?:\\.|[^"\\])*"/gs, '""') : text
	const lines = plain.split('\n').filter(line => !line.trimStart().startsWith('#'))
	const parts = engine === 'nginx' ? lines.flatMap(line => line.split(/[;{}]/)) : lines
	return new Set(parts.map(line => line.trim().split(/ +/)[0] ?? '').filter(word => word !== '"' && word !== ''))
}

for (const name of ['nginx', 'haproxy'] as const) {
	const missing = !isInstalled(name)

	describe.skipIf(missing)(`what ${name} is given`, () => {
		it('is never more than the values that were meant, whatever they hold', async () => {
			const text = fc.oneof(
				fc.string({minLength: 1, maxLength: 30}),
				fc.string({minLength: 1, maxLength: 30, unit: 'binary'}),
				fc.constantFrom(
					'a"; } evil',
					"a' evil",
					'a\nevil on;',
					'${env}',
					'$host',
					'#',
					'\\',
					'{ }',
					'%[src]',
					'%{+X}o',
					'-f',
					'a\u2028b',
					'*/',
					'~^x'
				)
			)
			const names = fc.array(
				text.filter(value => instanceNameSchema.safeParse(value).success),
				{minLength: 1, maxLength: 4}
			)
			const harmless: AccessRule = {kind: 'basic', realm: 'a', users: [{name: 'a', verifier: ''}]}
			const usual = directives(
				name,
				['inside.example', 'preserve'].map((hostHeader, index) =>
					instanceOf({name: `a${index}`, listenPort: 9000 + index, hostHeader, origins: ['*', 'https://a'], access: harmless})
				)
			)
			const instances = fc.record({names, realm: text, host: text, origin: text, user: text})
			await fc.assert(
				fc.asyncProperty(instances, async ({names: some, realm, host, origin, user}) => {
					const access: AccessRule = {kind: 'basic', realm, users: [{name: user, verifier: ''}]}
					const made = some.map((value, index) =>
						instanceOf({
							...{name: value, listenPort: 9000 + index, hostHeader: host, origins: [origin], access},
							aliases: [host].filter(alias => instanceNameSchema.safeParse(alias).success)
						})
					)
					expect(await complaintsOf(name, part(made))).toBe('')
					const strange = [...directives(name, made)].filter(one => !usual.has(one))
					expect(strange).toEqual([])
				}),
				{numRuns: 30}
			)
		})

		it('says what it cannot do, where it cannot, and holds no secret', async () => {
			const certificates = part([
				instanceOf({
					...{name: 'a', listenPort: 9001, serveStaleS: 60, trailers: ['X']},
					access: {kind: 'hmac', preset: 'slack', toleranceS: 1, key: 'canary'}
				})
			])
			const make = makers[name]
			const {text, impossible} = make({...certificates, ...place})
			for (const each of impossible) expect(text).toContain(`# not possible here: ${each}`)
			expect(impossible.join('\n')).toMatch(/signed bodies[\s\S]*last good answer/)
			expect(text).not.toContain('canary')
			expect(text).toContain('[::]:443')
			if (name === 'nginx') expect(text).toContain('listen 0.0.0.0:443 ssl http2;\n    listen [::]:443 ssl http2;\n')
			else expect(text).toMatch(/ bind 0\.0\.0\.0:443 ssl .*\n {4}bind \[::]:443 v6only ssl /)
			const certificate = {certificateFile: '/a"; evil', keyFile: '/b'}
			expect(() => make({...certificates, ...place, certificate})).toThrow('cannot be written')
		})

		it('is nothing but 404 below version 5.5', async () => {
			const old = await startEngine(name, part([instanceOf({name: 'edl', listenPort: 9})], {platformVersion: '5.0'}))
			try {
				expect((await ask(old, ['GET /instance/execute/edl HTTP/1.1', 'Host: localhost'])).status).toBe(404)
			} finally {
				await old.stop()
			}
		})
	})
}
