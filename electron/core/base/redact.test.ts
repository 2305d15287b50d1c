import fc from 'fast-check'

import {createProgramLog} from './log.ts'
import {redact, redactLine} from './redact.ts'

describe('redacting', () => {
	test.each(['unlock_code', 'unlockCode', 'UNLOCK-CODE', 'api_key', 'apiKey', 'Authorization', 'Set-Cookie', 'passphrase'])(
		'masks what stands under %s',
		name => {
			expect(redact({deep: [{[name]: 'canary'}]})).toEqual({deep: [{[name]: '••••••'}]})
		}
	)

	test('shows that there is no secret', () => {
		expect(redact({unlock_code: null, apiKey: '', password: undefined})).toEqual({unlock_code: null, apiKey: '', password: undefined})
	})

	test('masks a known secret wherever it stands, and a short one only as a word', () => {
		expect(redact({text: 'code (canary.7) is bad'}, ['canary.7'])).toEqual({text: 'code (••••••) is bad'})
		expect(redact('a banana, a', ['a'])).toBe('•••••• banana, ••••••')
	})

	test('keeps everything else as it is', () => {
		fc.assert(
			fc.property(fc.jsonValue(), value => {
				expect(redact({value})).toEqual({value})
			})
		)
		expect(redact({id: 6533241145273614340n})).toEqual({id: 6533241145273614340n})
	})

	test('no secret survives in any value', () => {
		const secret = 'canary-1234'
		const value = fc.letrec(tie => ({
			any: fc.oneof(fc.string(), fc.constant(`x${secret}y`), fc.array(tie('any')), fc.dictionary(fc.string(), tie('any')))
		})).any
		fc.assert(
			fc.property(value, one => {
				expect(JSON.stringify(Object.values(redact({one}, [secret])))).not.toContain(`x${secret}y`)
			})
		)
	})

	test.each([
		['!svc_put_computers_isolation unlock_code=canary comment=x', 'comment=x'],
		['!svc_put_computers_isolation unlock_code="can\\"ary" comment=x', 'comment=x'],
		['!svc_put_computers_isolation unlock_code=`can ary` comment=x', 'comment=x'],
		['svc_put_computers_isolation --unlock-code canary --comment x', '--comment x'],
		['!svc_put_computers_isolation unlock_code="canary', '!svc']
	])('a line is kept without its code: %s', (line, kept) => {
		const shown = redactLine(line)
		expect(shown).toContain(kept)
		expect(shown).not.toMatch(/can|ary/)
	})
})

describe('the program log', () => {
	test('masks secrets in objects and errors', () => {
		const lines: string[] = []
		const log = createProgramLog({destination: {write: line => void lines.push(line)}})
		log.info({request: {headers: {Authorization: 'Basic canary'}}}, 'sent')
		log.warn({err: Object.assign(new Error('failed'), {config: {apiKey: 'canary'}})}, 'failed')
		expect(lines).toHaveLength(2)
		expect(lines.join()).not.toContain('canary')
		expect(lines[1]).toContain('"message":"failed"')
	})
})
