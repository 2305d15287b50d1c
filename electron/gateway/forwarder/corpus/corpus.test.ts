/** The corpus over real sockets against the real server: every case must be right. */
import {startRunning, type Running} from '../testing/running.ts'
import {judgeMalformed, judgeUpstream, judgeWellFormed, type Subject, upstreamCases} from './testing/judge.ts'
import {malformed} from './testing/malformed.ts'
import {wellFormed} from './testing/well-formed.ts'

let running: Running
let subject: Subject

beforeAll(async () => {
	running = await startRunning({timeouts: {firstByteS: 0.5}})
	subject = {place: running.place, origin: running.origin, strips: true, patienceMs: 30_000}
})
afterAll(() => running.stop())

describe('a malformed request is refused', () => {
	it.each(malformed)('$name', async one => {
		expect(await judgeMalformed(one, subject)).toMatchObject({problem: ''})
	})
})

describe('a well-formed request arrives as it was meant', () => {
	it.each(wellFormed)('$name', async one => {
		expect(await judgeWellFormed(one, subject)).toMatchObject({problem: ''})
	})
})

describe('an answer arrives as it was meant, or as 502, or visibly cut', () => {
	it.each(upstreamCases)('$name', async one => {
		expect(await judgeUpstream(one, subject)).toMatchObject({problem: ''})
	})
})

describe('the judge', () => {
	const [plain] = wellFormed
	it('is not content with a request that was forwarded, nor with one that was changed', async () => {
		if (plain === undefined) throw new Error('no case')
		const bad = await judgeMalformed({name: '', bytes: plain.bytes, status: [400], where: 'head'}, subject)
		expect(bad.problem).toContain('forwarded')
		expect(await judgeWellFormed({...plain, target: '/y'}, subject)).toMatchObject({problem: 'target /x'})
		expect(await judgeWellFormed({...plain, fields: {via: null}}, subject)).toMatchObject({isRight: false})
	})
	it('is not content with an answer that looks whole and should not', async () => {
		const answer = ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok']
		const verdict = await judgeUpstream({name: '', answer, status: 200, isWhole: false}, subject)
		expect(verdict.problem).toBe('looks whole')
	})
})

it('no internal error was reported', () => {
	expect(running.troubles).toEqual([])
})
