import {briefOf, fileActivity, networkActivity, type FileBrief} from './blocks.ts'
import {addressOf, type Host} from './host.ts'
import {endpoints, programs, runs, talksTo, type Endpoint} from './programs.ts'
import {random, type Random} from './random.ts'
import type {ActivityFact} from './stage.ts'

/** Everyday activity of one computer, newest first; generated on request, always the same. */
export function everydayActivity(seed: string, seedNumber: number, host: Host): readonly ActivityFact[] {
	if (host.platform === 'ios') return []
	const die = random(seed, 'activity', host.index)
	const ran = programs.filter((_, index) => runs(seedNumber, host, index)).map(briefOf)
	const met = endpoints.filter((_, index) => talksTo(seedNumber, host, index))
	// Each program and address at least once, so that tenant search and trajectory agree.
	const must = [...ran.map(file => fileFact(die, host, file, ran)), ...met.map(endpoint => networkFact(die, host, endpoint, ran))]
	const more = Array.from({length: extraOf(die, host)}, () =>
		die.chance(0.7) || met.length === 0 ? fileFact(die, host, die.pick(ran), ran) : networkFact(die, host, die.pick(met), ran)
	)
	return timed(die, host, shuffled(die, [...must, ...more]))
}

type Undated = Omit<ActivityFact, 'at'>

/** Most computers have some hundreds of activities, busy ones thousands: slightly more than one call returns. */
function extraOf(die: Random, host: Host) {
	if (host.compromised) return 900 + die.int(2600)
	return host.role === 'server' && die.chance(0.3) ? 2000 + die.int(3400) : 30 + Math.floor(die.next() ** 3 * 1500)
}

function fileFact(die: Random, host: Host, file: FileBrief, ran: readonly FileBrief[]): Undated {
	const type = die.pick(['Executed by', 'Executed by', 'Executed by', 'Created by', 'Moved by'] as const)
	return {type, host: host.index, block: fileActivity(file, die.pick(ran))}
}

function networkFact(die: Random, host: Host, endpoint: Endpoint, ran: readonly FileBrief[]): Undated {
	const mac = host.platform === 'mac'
	const connection = {
		remoteIp: endpoint.ip,
		remotePort: endpoint.port,
		localIp: mac ? '0.0.0.0' : addressOf(host),
		localPort: mac ? 0 : 49_152 + die.int(16_000),
		incoming: endpoint.incoming === true,
		url: endpoint.url
	}
	return {type: 'NFM', host: host.index, block: networkActivity(connection, die.pick(ran))}
}

function shuffled<T>(die: Random, items: readonly T[]) {
	return items
		.map(item => ({item, at: die.next()}))
		.toSorted((a, b) => a.at - b.at)
		.map(({item}) => item)
}

/** Bursts and pauses, backwards from the last contact. */
function timed(die: Random, host: Host, facts: readonly Undated[]) {
	let at = -host.silentFor * 1000
	return facts.map(fact => {
		at -= die.chance(0.7) ? die.int(4000) : die.int(900_000)
		return {...fact, at}
	})
}
