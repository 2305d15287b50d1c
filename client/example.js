/** Isolates a computer and waits until it is: CORDON_TOKEN=… node example.js COMPUTER REASON [ADDRESS] */
import {createClient, CordonProblem, isPending} from './index.js'

const [connector_guid, reason, address] = process.argv.slice(2)
const client = createClient({token: process.env.CORDON_TOKEN ?? '', ...(address !== undefined && {address})})
try {
	const change = await client.call('svc_put_computers_isolation', {connector_guid, reason})
	if (isPending(change)) {
		process.stdout.write(`${change.title} waits for a person in Cordon.\n`)
		const {state, outcome} = await client.decided(change)
		if (state !== 'used') throw new Error(outcome ?? `It was not carried out: ${state}.`)
	}
	const isolation = await client.call('svc_get_computers_isolation', {connector_guid, status: 'isolated', wait: 600})
	process.stdout.write(`${isolation.message}\n`)
} catch (error) {
	process.stderr.write(`${error instanceof CordonProblem ? `${error.problem.code}: ` : ''}${error.message}\n`)
	process.exitCode = 1
}
