/**
 * In place of `threads.ts` in the tests of `npm run check`: threads of the built program. Node strips the types of sources by
 * WebAssembly, and V8 now and then ends a process in whose threads that happens (nodejs/node#64500).
 */
import {workerUrl as urlIn} from '../threads.ts'

export {endsWithin} from '../threads.ts'

export function workerUrl(_here: string, source: string, entry: string): URL {
	const folder = new URL('../../../../dist/node/', import.meta.url)
	return urlIn(new URL('cli.js', folder).href, source, entry)
}
