/** A process that appends until it is killed, and prints the number of each entry once it is acknowledged, refusals to stderr. Started by the tests. */
import {randomBytes} from 'node:crypto'
import {writeSync} from 'node:fs'

import {openIncidentLog} from '../log.ts'

const [path = '', operator = '', count = '1000000'] = process.argv.slice(2)

const log = openIncidentLog({
	path,
	operator,
	clock: {now: () => Date.now(), monotonic: () => performance.now(), sleep: () => Promise.resolve()},
	random: randomBytes
})

for (let done = 0; done < Number(count); done += 1) {
	try {
		const {seq} = await log.append({kind: 'note', surface: 'automation', message: `entry ${done}`})
		writeSync(1, `${seq}\n`)
	} catch (error) {
		writeSync(2, `${error instanceof Error ? error.message : String(error)}\n`)
	}
}
await log.stop()
