/** Loaded into a process by `--import`: at SIGUSR2 it writes the delays of its event loop since the last time into `CORDON_LOOP_FILE`. */
import {renameSync, writeFileSync} from 'node:fs'
import {monitorEventLoopDelay} from 'node:perf_hooks'
import {isMainThread} from 'node:worker_threads'

const resolution = 5
const file = process.env['CORDON_LOOP_FILE'] ?? ''

if (isMainThread && file !== '') {
	const delays = monitorEventLoopDelay({resolution})
	delays.enable()
	const late = nanoseconds => Math.max(0, nanoseconds / 1e6 - resolution)
	process.on('SIGUSR2', () => {
		const {max} = delays
		const found = {median: late(delays.percentile(50)), most: late(delays.percentile(99.9)), max: late(max)}
		delays.reset()
		writeFileSync(`${file}.new`, JSON.stringify(found))
		renameSync(`${file}.new`, file)
	})
}
