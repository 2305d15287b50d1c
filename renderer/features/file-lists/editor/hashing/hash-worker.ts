/** A thread of its own, so that files of any size freeze no screen. Ended from outside: that is how hashing is cancelled. */
import {hashFile} from './hash-file.ts'
import type {HashAnswer, HashRequest} from './messages.ts'

addEventListener('message', (event: MessageEvent<HashRequest>) => {
	void hashAll(event.data)
})

/** One after the other: several at once would only wait for the same disk. */
async function hashAll({files}: HashRequest): Promise<void> {
	for (const [index, file] of files.entries()) {
		try {
			tell({kind: 'hashed', index, sha256: await hashFile(file, bytes => tell({kind: 'progress', index, bytes}))})
		} catch (error) {
			tell({kind: 'failed', index, message: error instanceof Error ? error.message : String(error)})
		}
	}
}

function tell(answer: HashAnswer): void {
	postMessage(answer)
}
