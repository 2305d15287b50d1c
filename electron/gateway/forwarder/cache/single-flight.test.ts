import {HandTicker} from '../testing/hand-ticker.ts'
import {flightLimits, SingleFlight} from './answers.ts'
import {answer, Instance, Listener, refusedConnection, request, settled} from './testing/fakes.ts'

let ticker: HandTicker

beforeEach(() => {
	ticker = new HandTicker()
})

function scene(limits = flightLimits) {
	const instance = new Instance()
	const flights = new SingleFlight(ticker, limits)
	return {
		instance,
		flights,
		/** Sends a client's request. */
		ask: (key = 'k', head = request()) => {
			const listener = new Listener()
			listener.upstream = flights.send(key, head, listener, instance.start)
			return listener
		}
	}
}

describe('equal requests at the same time', () => {
	test('cost one request at the instance, and each gets the whole answer', () => {
		const {ask, instance, flights} = scene()
		const all = Array.from({length: 500}, () => ask())
		instance.answers(0, answer(), 'a', 'b')
		expect(instance.requests.length).toBe(1)
		expect(all[0]?.heard).toEqual(['connected', 'head 200', 'data a', 'data b', 'end'])
		for (const follower of all.slice(1)) expect(follower.heard).toEqual(['shared', 'head 200', 'data a', 'data b', 'end'])
		expect(flights.running).toBe(0)
	})

	test('with another key are not equal', () => {
		const {ask, instance} = scene()
		ask('a')
		ask('b')
		expect(instance.requests.length).toBe(2)
	})

	test('join in the middle while the beginning is still held, and get it', async () => {
		const {ask, instance} = scene()
		ask()
		const sink = instance.begins(0, answer(), 'a')
		const late = ask()
		await settled()
		sink.data(Buffer.from('b'))
		sink.end([])
		expect(late.heard).toEqual(['shared', 'head 200', 'data a', 'data b', 'end'])
		expect(instance.requests.length).toBe(1)
	})

	test('after the beginning is gone, or after the end, make a request of their own', () => {
		const {ask, instance} = scene({...flightLimits, joinBytes: 3})
		ask()
		instance.begins(0, answer(), 'abcd')
		ask()
		expect(instance.requests.length).toBe(2)
		instance.answers(1, answer())
		ask()
		expect(instance.requests.length).toBe(3)
	})

	test('hear hints together, and fail together', () => {
		const {ask, instance} = scene()
		const [one, two] = [ask(), ask()]
		instance.at(0).sink.information(103, 'Early Hints', [])
		instance.at(0).sink.failed(refusedConnection)
		expect(one.heard).toEqual(['connected', 'information 103', 'failed connection_refused'])
		expect(two.heard).toEqual(['information 103', 'failed connection_refused'])
		ask()
		expect(instance.requests.length).toBe(2)
	})

	test('a cut answer is cut for everybody', () => {
		const {ask, instance} = scene()
		const [one, two] = [ask(), ask()]
		instance.begins(0, answer(), 'a').failed(refusedConnection)
		for (const listener of [one, two]) expect(listener.heard.slice(-2)).toEqual(['data a', 'failed connection_refused'])
	})
})

describe('answers that are for one client only', () => {
	test.each([
		['Set-Cookie', ['Set-Cookie', 'a=1']],
		['Cache-Control: private', ['Cache-Control', 'max-age=5, Private']],
		['Cache-Control: private with a field', ['Cache-Control', 'private="x-user"']],
		['Cache-Control: no-store', ['Cache-Control', 'no-store']],
		['Vary: *', ['Vary', 'Accept, *']]
	])('%s: the others ask for themselves, and later ones do not wait', (_what, fields) => {
		const {ask, instance} = scene()
		const [leader, second, third] = [ask(), ask(), ask()]
		const sink = instance.begins(0, answer(fields))
		expect(instance.requests.length).toBe(3)
		instance.answers(1, answer(fields), 'two')
		instance.answers(2, answer(fields), 'three')
		sink.data(Buffer.from('one'))
		sink.end([])
		expect(leader.heard).toEqual(['connected', 'head 200', 'data one', 'end'])
		expect(second.heard).toEqual(['connected', 'head 200', 'data two', 'end'])
		expect(third.heard).toEqual(['connected', 'head 200', 'data three', 'end'])
		ask()
		ask()
		expect(instance.requests.length).toBe(5)
	})

	test('when the requester has left, nobody gets its answer', () => {
		const {ask, instance} = scene()
		const [leader, second] = [ask(), ask()]
		leader.upstream?.abort()
		instance.begins(0, answer(['Set-Cookie', 'a=1']))
		expect(instance.at(0).isAborted).toBe(true)
		instance.answers(1, answer(['Set-Cookie', 'a=2']), 'mine')
		expect(second.heard).toContain('data mine')
	})

	test('Vary: who said something else asks for itself, before the head and after it', () => {
		const {ask, instance} = scene()
		ask('k', request(['User-Agent', 'PAN-OS']))
		const other = ask('k', request(['User-Agent', 'curl']))
		const same = ask('k', request(['User-Agent', 'PAN-OS']))
		instance.begins(0, answer(['Vary', 'User-Agent']))
		expect(same.heard).toEqual(['shared', 'head 200'])
		expect(other.heard).toEqual(['connected'])
		ask('k', request(['User-Agent', 'wget']))
		expect(instance.requests.length).toBe(3)
	})
})

describe('clients that leave', () => {
	test('the first one does not take the others with it', () => {
		const {ask, instance} = scene()
		const [leader, second] = [ask(), ask()]
		leader.upstream?.abort()
		instance.answers(0, answer(), 'a')
		expect(instance.at(0).isAborted).toBe(false)
		expect(leader.heard).toEqual(['connected'])
		expect(second.heard).toEqual(['shared', 'head 200', 'data a', 'end'])
	})

	test('the last one ends the request at the instance', () => {
		const {ask, instance, flights} = scene()
		const all = [ask(), ask(), ask()]
		for (const listener of all.slice(0, 2)) listener.upstream?.abort()
		expect(instance.at(0).isAborted).toBe(false)
		all[2]?.upstream?.abort()
		expect(instance.at(0).isAborted).toBe(true)
		expect(flights.running).toBe(0)
	})

	test('leaving from within a piece of the body is no trouble', () => {
		const {ask, instance} = scene()
		const [one, two] = [ask(), ask()]
		one.data = () => one.upstream?.abort()
		instance.answers(0, answer(), 'a', 'b')
		expect(two.heard).toEqual(['shared', 'head 200', 'data a', 'data b', 'end'])
		expect(one.heard).not.toContain('end')
	})
})

describe('slow clients', () => {
	const tight = {...flightLimits, joinBytes: 0, mostHeld: 1000, leastHeld: 100, stuckMs: 40}

	test('one alone holds the instance up at once', () => {
		const {ask, instance} = scene(tight)
		const listener = ask()
		listener.isSlow = true
		instance.begins(0).data(Buffer.alloc(100))
		expect(instance.at(0).isPaused).toBe(true)
		listener.upstream?.resume()
		expect(instance.at(0).isPaused).toBe(false)
	})

	test('one of two does not hold up the other until too much is held', () => {
		const {ask, instance} = scene(tight)
		const [fast, slow] = [ask(), ask()]
		slow.isSlow = true
		const sink = instance.begins(0)
		for (let count = 0; count < 11; count += 1) sink.data(Buffer.alloc(100))
		expect([fast.bytes, slow.bytes, instance.at(0).isPaused]).toEqual([1100, 100, false])
		sink.data(Buffer.alloc(100))
		expect(instance.at(0).isPaused).toBe(true)
		slow.upstream?.resume()
		slow.upstream?.resume()
		expect(instance.at(0).isPaused).toBe(false)
		slow.isSlow = false
		slow.upstream?.resume()
		sink.end([])
		expect([fast.bytes, slow.bytes]).toEqual([1200, 1200])
		expect(slow.heard.at(-1)).toBe('end')
	})

	test('one that takes nothing while others wait is cut after a while', () => {
		const {ask, instance} = scene(tight)
		const [fast, slow] = [ask(), ask()]
		slow.isSlow = true
		const sink = instance.begins(0)
		for (let count = 0; count < 13; count += 1) sink.data(Buffer.alloc(100))
		ticker.pass(39)
		expect(slow.heard.at(-1)).not.toMatch(/^failed/)
		ticker.pass(1)
		expect(slow.heard.at(-1)).toBe('failed too_slow_to_share')
		expect(instance.at(0).isPaused).toBe(false)
		sink.end([])
		expect([fast.bytes, fast.heard.at(-1)]).toEqual([1300, 'end'])
	})

	test('much held by all flights makes each hold less', () => {
		const {ask, instance} = scene({...tight, mostHeldInAll: 150})
		ask()
		ask().isSlow = true
		const [, slow] = [ask('other'), ask('other')]
		slow.isSlow = true
		for (const {sink} of instance.requests) {
			sink.head(answer())
			for (let count = 0; count < 3; count += 1) sink.data(Buffer.alloc(100))
		}
		expect(instance.at(1).isPaused).toBe(true)
	})

	test('one that is slow until after the end still gets everything', () => {
		const {ask, instance} = scene()
		const [, slow] = [ask(), ask()]
		slow.isSlow = true
		instance.answers(0, answer(), 'a', 'b', 'c')
		expect(slow.heard.at(-1)).toBe('data a')
		for (let count = 0; count < 3; count += 1) slow.upstream?.resume()
		expect(slow.heard).toEqual(['shared', 'head 200', 'data a', 'data b', 'data c', 'end'])
	})
})
