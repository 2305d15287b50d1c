/** Ten thousand requests that end before their time, at every moment of a request, over HTTP/1.1, HTTP/2 and WebSocket. */
import {abortRounds} from '#gateway/forwarder/chain/testing/aborts.ts'
import {markdown} from './measure.ts'

const rounds = 10_000

export async function benchAborts() {
	const {seconds, leaked, hanging, growth, alive} = await abortRounds(rounds)
	const titles = 'aborted requests | s | descriptors leaked | requests left at the instance | memory growth, MB'
	const text = markdown(titles, [[rounds, seconds.toFixed(0), leaked, hanging, (growth / 1e6).toFixed(0)]])
	if (!alive || leaked > 0 || hanging > 0) throw new Error(`Something was left behind:\n${text}`)
	return text
}
