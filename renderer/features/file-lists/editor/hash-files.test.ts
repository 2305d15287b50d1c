import type {HashStep} from '#contract/editor.ts'

import {hashFiles, type HashWays} from './FilesDialog.tsx'
import type {HashAnswer} from './hashing/messages.ts'

const files = ['a', 'b', 'c'].map(name => new File([name], name))

/** The host knows the paths of some; the worker answers at once. */
function ways(known: string[], byHost: HashWays['byHost']): HashWays & {read: string[]} {
	const read: string[] = []
	return {
		read,
		ticketFor: async ({name}) => (known.includes(name) ? `ticket ${name}` : null),
		byHost,
		byWorker: (given, onAnswer) => {
			given.forEach(({name}, index) => {
				read.push(name)
				onAnswer({kind: 'hashed', index, sha256: `worker ${name}`})
			})
			return {cancel: () => void read.push('cancelled')}
		}
	}
}

async function* hashed(ticket: string): AsyncGenerator<HashStep> {
	yield {kind: 'progress', bytes: 1}
	yield {kind: 'hashed', sha256: ticket}
}

/** All answers, once every file has ended. */
function answersOf(count: number, given: HashWays): Promise<HashAnswer[]> {
	const answers: HashAnswer[] = []
	return new Promise(resolve => {
		hashFiles(files, given, answer => {
			answers.push(answer)
			if (answers.filter(({kind}) => kind !== 'progress').length === count) resolve(answers)
		})
	})
}

test('what the host knows by its path it hashes, the page hashes the rest, and each answer is about its own file', async () => {
	const given = ways(['a', 'c'], hashed)
	const answers = await answersOf(3, given)
	expect(given.read).toEqual(['b'])
	expect(answers).toContainEqual({kind: 'progress', index: 2, bytes: 1})
	expect(answers.filter(({kind}) => kind === 'hashed').toSorted((one, other) => one.index - other.index)).toEqual([
		{kind: 'hashed', index: 0, sha256: 'ticket a'},
		{kind: 'hashed', index: 1, sha256: 'worker b'},
		{kind: 'hashed', index: 2, sha256: 'ticket c'}
	])
})

test('a file that the host cannot read fails by itself, and the next is hashed', async () => {
	const given = ways(['a', 'b', 'c'], ticket => {
		if (ticket === 'ticket b') throw new Error('You may not read this file.')
		return hashed(ticket)
	})
	const answers = await answersOf(3, given)
	expect(answers).toContainEqual({kind: 'failed', index: 1, message: 'You may not read this file.'})
	expect(answers).toContainEqual({kind: 'hashed', index: 2, sha256: 'ticket c'})
})

test('on cancel the host is notified, the worker ends, and no more answers come', async () => {
	const begun = Promise.withResolvers<AbortSignal>()
	const answers: HashAnswer[] = []
	const given = ways(['a', 'c'], async function* (_ticket, signal) {
		begun.resolve(signal)
		await new Promise(resolve => signal.addEventListener('abort', resolve))
		yield {kind: 'hashed', sha256: 'too late'}
	})
	const hashing = hashFiles(files, given, answer => answers.push(answer))
	const signal = await begun.promise
	hashing.cancel()
	await new Promise(setImmediate)
	expect([signal.aborted, given.read]).toEqual([true, ['b', 'cancelled']])
	expect(answers).toEqual([{kind: 'hashed', index: 1, sha256: 'worker b'}])
})
