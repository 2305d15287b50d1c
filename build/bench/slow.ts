/** slowhttptest runs each attack alone for 90 seconds: the server must stay available and drop the attackers. */
import {attackSlowly, slowKinds, type SlowReport} from '#gateway/forwarder/chain/testing/slow.ts'
import {markdown} from './measure.ts'

const attack = {connections: 500, seconds: 90}
/** The longest limit is a minute, and attackers take some seconds to connect. */
const mostSeconds = 75

type Row = SlowReport & {heldSeconds: number}

export async function benchSlow() {
	const rows: Row[] = []
	let leaked = 0
	for (const kind of slowKinds) {
		const run = await attackSlowly(attack, [kind])
		rows.push(...run.reports.map(report => ({...report, heldSeconds: run.heldSeconds})))
		leaked += run.leaked
	}
	const text = table(rows)
	const isGood = rows.every(({available, heldSeconds}) => available && heldSeconds <= mostSeconds)
	if (leaked > 0 || !isGood) throw new Error(`Not good enough:\n${text}`)
	return text
}

function table(rows: readonly Row[]) {
	return markdown(
		'slow | always available | opened | closed by the server after, s | attack, s',
		rows.map(({kind, available, opened, heldSeconds, seconds}) => {
			return [kind, available ? 'yes' : 'no', opened, heldSeconds.toFixed(0), seconds.toFixed(0)]
		})
	)
}
