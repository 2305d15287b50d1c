/** A separate thread, so that large files do not freeze the screen. Terminating it cancels the hashing. */
import {hashFile} from './hash-file.ts'
import type {HashAnswer, HashRequest} from './messages.ts'

addEventListener('message', (event: MessageEvent<HashRequest>) => {
	void hashAll(event.data)
})

/** Sequentially: parallel reads would only compete for the disk. */
async function hashAll({files}: HashRequest) {
	for (const [index, file] of files.entries()) {
		try {
			tell({kind: 'hashed', index, sha256: await hashFile(file, bytes => tell({kind: 'progress', index, bytes}))})
		} catch (error) {
			tell({kind: 'failed', index, message: error instanceof Error ? error.message : String(error)})
		}
	}
}

function tell(answer: HashAnswer) {
	postMessage(answer)
}
