import {ownScript} from '#ui/own-script.ts'
// oxlint-disable-next-line import/default -- the bundler gives the built script's address
import workerUrl from './hash-worker.ts?worker&url'
import type {HashAnswer, HashRequest} from './messages.ts'

export interface Hashing {
	/** Ends it immediately; earlier results stay. */
	cancel(): void
}

/** Hashes files in a worker; each file ends with `hashed` or `failed`, and the last one ends the worker. */
export function startHashing(files: readonly File[], onAnswer: (answer: HashAnswer) => void): Hashing {
	const worker = new Worker(ownScript(workerUrl), {type: 'module'})
	let left = files.length
	const answered = (answer: HashAnswer) => {
		if (answer.kind !== 'progress') left -= 1
		onAnswer(answer)
		if (left === 0) worker.terminate()
	}
	worker.addEventListener('message', (event: MessageEvent<HashAnswer>) => answered(event.data))
	// The script failed to load: no file can be hashed.
	worker.addEventListener('error', event => {
		event.preventDefault()
		files.forEach((_, index) => answered({kind: 'failed', index, message: 'The page cannot start its worker.'}))
	})
	worker.postMessage({files} satisfies HashRequest, [])
	return {cancel: () => worker.terminate()}
}
