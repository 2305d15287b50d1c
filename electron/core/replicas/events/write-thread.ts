import {workerUrl} from '#base/threads.ts'
import {openWriting} from '../kit/write-thread.ts'
import type {EventTask} from './write-task.ts'
import type {Written} from './writer.ts'

export type EventThread = ReturnType<typeof makeEventThread>

export function makeEventThread(path: string, patienceMs: number) {
	const resourceLimits = {maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 192}
	const [url, what] = [workerUrl(import.meta.url, 'worker', 'events-worker'), 'The store of events']
	const thread = openWriting<{task: EventTask}, Written>({...{url, name: 'events', data: {path}, resourceLimits, patienceMs, what}})
	return {...thread, write: (task: EventTask) => thread.write({task})}
}
