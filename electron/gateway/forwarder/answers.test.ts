import {Answers, wantsJson} from './answers.ts'
import {writeResponseHead} from './http1/write.ts'
import {badAnswer, badRequest, refused} from './refusals.ts'
import {pairs} from './testing/forwarded.ts'
import {configOf, headOf} from './testing/heads.ts'
import type {Refusal, RequestHead} from './message-types.ts'
import type {ForwarderConfig} from './types.ts'

function answer(refusal: Refusal, head: Partial<RequestHead> = {}, config: Partial<ForwarderConfig> = {}) {
	return new Answers(configOf([], config)).refusal(refusal, headOf('/instance/execute/secret', head), 'id-1')
}

const everyRefusal: Refusal[] = [badRequest, refused, badAnswer].flatMap(table => Object.values(table))

describe('an answer of our own', () => {
	it('is a problem in JSON', () => {
		const {status, reason, fields, body} = answer(badRequest.host)
		expect([status, reason]).toEqual([400, 'Bad Request'])
		expect(JSON.parse(body.toString())).toEqual({
			type: 'about:blank',
			title: 'Bad Request',
			status: 400,
			detail: 'There must be exactly one valid Host.'
		})
		expect(pairs(fields)).toMatchObject({
			'content-type': 'application/problem+json',
			'proxy-status': 'cordon; error=http_request_error',
			'x-request-id': 'id-1',
			'cache-control': 'no-store'
		})
	})

	it('is plain text for a browser', () => {
		const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'
		const {fields, body} = answer(badRequest.host, {fields: ['Accept', accept]})
		expect(pairs(fields)['content-type']).toBe('text/plain; charset=utf-8')
		expect(body.toString()).toBe('There must be exactly one valid Host.\n')
	})

	it.each([
		[[], true],
		[['Accept', '*/*'], true],
		[['Accept', 'application/json'], true],
		[['Accept', 'text/html, application/problem+json'], true],
		[['Accept', 'application/*'], true],
		[['Accept', 'text/plain'], false],
		[['Accept', 'text/html', 'Accept', '*/*'], false],
		[['Accept', 'image/png'], false]
	])('with %j is JSON: %s', (fields, isJson) => {
		expect(wantsJson(fields)).toBe(isJson)
	})

	it('is the same for an unknown instance and one that is not exposed', () => {
		const [unknown, hidden] = [answer(refused.unknown), answer(refused.notExposed)]
		const parts = ({fields, ...rest}: typeof unknown) => ({...rest, fields: {...pairs(fields), date: ''}})
		expect(parts(hidden)).toEqual(parts(unknown))
		expect(hidden.body).toEqual(unknown.body)
	})

	it('can always be written, and never tells name or path', () => {
		for (const refusal of everyRefusal) {
			const {status, reason, fields, body} = answer(refusal)
			const text = writeResponseHead(status, reason, fields) + body.toString()
			expect(text).not.toMatch(/secret|execute/)
			expect(reason, String(status)).not.toBe('')
		}
	})

	it('carries what the refusal brings', () => {
		expect(pairs(answer(refused.trace).fields)['allow']).toContain('GET')
		expect(pairs(answer(refused.draining).fields)['retry-after']).toBe('5')
	})

	it('has no body where it may have none', () => {
		const {fields, body} = answer(refused.options)
		expect(body.length).toBe(0)
		expect(pairs(fields)).not.toHaveProperty('content-type')
	})

	it('names us as the standard wants it', () => {
		expect(pairs(answer(badRequest.host, {}, {pseudonym: '7 up'}).fields)['proxy-status']).toMatch(/^"7-up"; error=/)
	})

	it('holds browsers to TLS only behind a certificate that everyone trusts', () => {
		const field = 'strict-transport-security'
		expect(pairs(answer(refused.unknown).fields)).not.toHaveProperty(field)
		expect(pairs(answer(refused.unknown, {}, {strictTransportSecurity: true}).fields)).toHaveProperty(field)
	})
})

it('a redirect keeps the method, the version is the platform’s', () => {
	const answers = new Answers(configOf([]))
	const {status, fields} = answers.redirect('/a/', 'id-1')
	expect([status, pairs(fields)['location']]).toEqual([308, '/a/'])
	expect(answers.version('id-1').body.toString()).toBe('{"version":"6.12"}')
})
