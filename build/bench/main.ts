/** `npm run bench [-- SUITE …]`: prints Markdown tables of what was measured on this machine. */
import {machine, table, type Figure} from './measure.ts'

type Suite = () => Promise<readonly Figure[] | string>

const suites: Readonly<Record<string, Suite>> = {
	cli: async () => (await import('./cli-start.ts')).benchCliStart(),
	window: async () => (await import('./window.ts')).benchWindow()
}

/** Long, or dependent on other programs: run only when named. */
const onDemand: Readonly<Record<string, Suite>> = {
	kill: async () => (await import('./kill.ts')).benchKill(),
	jobs: async () => (await import('./jobs.ts')).benchJobs(),
	playbooks: async () => (await import('./playbooks.ts')).benchPlaybooks(),
	'playbooks-kill': async () => (await import('./playbooks.ts')).benchPlaybooksKill(),
	'playbooks-model': async () => (await import('./playbooks.ts')).benchPlaybooksModel(),
	hashes: async () => (await import('./hashes.ts')).benchHashes(),
	aborts: async () => (await import('./aborts.ts')).benchAborts(),
	desktop: async () => (await import('./desktop/bench.ts')).benchDesktop(),
	ui: async () => (await import('./ui/bench.ts')).benchUi(),
	tasks: async () => (await import('./tasks.ts')).benchTasks(),
	soak: async () => (await import('./soak/bench.ts')).benchSoak(),
	loop: async () => (await import('./loop.ts')).benchLoop(),
	slow: async () => (await import('./slow.ts')).benchSlow(),
	search: async () => (await import('./search.ts')).benchSearch(),
	events: async () => (await import('./events.ts')).benchEvents(),
	lists: async () => (await import('./lists.ts')).benchLists(),
	stream: async () => (await import('./stream.ts')).benchStream(),
	volume: async () => (await import('./forward/volume.ts')).benchVolume(),
	forward: async () => (await import('./forward/bench.ts')).benchForward(),
	conformance: async () => (await import('./conformance/bench.ts')).benchConformance(),
	fuzz: async () => (await import('./fuzz.ts')).benchFuzz(),
	tokens: async () => (await import('./tokens.ts')).benchTokens(),
	api: async () => (await import('./api.ts')).benchApi(),
	'api-fuzz': async () => (await import('./api-fuzz.ts')).benchApiFuzz(),
	testssl: async () => (await import('./testssl.ts')).benchTestssl()
}

async function main(names: readonly string[]): Promise<number> {
	const known = {...suites, ...onDemand}
	const unknown = names.find(name => !(name in known))
	if (unknown !== undefined) {
		process.stderr.write(`There is no bench "${unknown}". Known: ${Object.keys(known).join(', ')}.\n`)
		return 2
	}
	process.stdout.write(`${machine()}\n`)
	for (const [name, run] of Object.entries(names.length > 0 ? known : suites)) {
		if (names.length > 0 && !names.includes(name)) continue
		const measured = await run()
		process.stdout.write(`\n## ${name}\n\n${typeof measured === 'string' ? measured : table(measured)}\n`)
	}
	return 0
}

process.exitCode = await main(process.argv.slice(2))
