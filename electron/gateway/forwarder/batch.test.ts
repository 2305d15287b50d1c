import {setImmediate as turn} from 'node:timers/promises'

import {Batch} from './batch.ts'

test('what is added in one round is written behind each other at its end, and what comes meanwhile in the next', async () => {
	const batch = new Batch()
	const written: string[] = []
	const late = {flush: () => void written.push('late')}
	const early = {
		flush: () => {
			written.push('early')
			batch.add(late)
		}
	}
	batch.add(early)
	batch.add({flush: () => void written.push('second')})
	expect(written).toEqual([])
	await turn()
	expect(written).toEqual(['early', 'second'])
	await turn()
	expect(written).toEqual(['early', 'second', 'late'])
})
