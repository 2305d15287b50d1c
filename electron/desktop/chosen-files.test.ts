import {randomBytes} from 'node:crypto'

import {createFileTickets} from './chosen-files.ts'
import {ticketFor} from './file-bridge.ts'

test('a ticket stands for one path, once, and cannot be guessed from another', () => {
	const tickets = createFileTickets(randomBytes)
	const [one, other] = [tickets.grant('/home/kim/a.exe'), tickets.grant('/home/kim/b.exe')]
	expect([one, other]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), expect.stringMatching(/^[0-9a-f]{32}$/)])
	expect(one).not.toBe(other)
	expect([tickets.take(other ?? ''), tickets.take(other ?? ''), tickets.take(one ?? '')]).toEqual([
		'/home/kim/b.exe',
		undefined,
		'/home/kim/a.exe'
	])
	expect(tickets.take('f'.repeat(32))).toBeUndefined()
})

test.each([
	['a relative path', 'a.exe'],
	['nothing', ''],
	['no text', {path: '/a'}],
	['a list', ['/a']],
	['a hidden end', '/a\0b']
])('%s gets no ticket', (_what, path) => {
	expect(createFileTickets(randomBytes).grant(path)).toBeNull()
})

test('what is granted and never used does not pile up', () => {
	const tickets = createFileTickets(randomBytes)
	const first = tickets.grant('/first') ?? ''
	for (let count = 0; count < 10_000; count += 1) tickets.grant(`/${count}`)
	expect(tickets.take(first)).toBeUndefined()
})

test('the page gets a ticket for a file on the disk, and none for one that it made', async () => {
	const file = new File(['x'], 'a.exe')
	const asked: string[] = []
	const bridge = (path: string | Error, answer: unknown = 'ticket') => ({
		isFile: (value: unknown): value is File => value instanceof File,
		pathOf: () => {
			if (path instanceof Error) throw path
			return path
		},
		grant: async (granted: string) => {
			asked.push(granted)
			return answer
		}
	})
	expect(await ticketFor(file, bridge('/home/kim/a.exe'))).toBe('ticket')
	expect(asked).toEqual(['/home/kim/a.exe'])
	expect(await ticketFor(file, bridge(''))).toBeNull()
	expect(await ticketFor('/etc/shadow', bridge('/etc/shadow'))).toBeNull()
	expect(await ticketFor(file, bridge(new TypeError('no file')))).toBeNull()
	expect(asked).toHaveLength(1)
	expect(await ticketFor(file, bridge('/a', 7))).toBeNull()
})
