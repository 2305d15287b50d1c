/** A million values of each kind through the list service: built, and read twice. */
import {measureLongList} from '#gateway/instances/list/testing/measure.ts'
import {markdown} from './measure.ts'

const million = 1_000_000

export async function benchLists() {
	const rows: (readonly unknown[])[] = []
	for (const type of ['sha256', 'ip', 'url', 'domain'] as const) {
		const {entries, exact, buildSeconds, readSeconds, growth} = await measureLongList(type, million)
		if (entries !== million || !exact) throw new Error(`The list of type ${type} did not come out whole.`)
		const times = [buildSeconds, readSeconds.file, readSeconds.variant].map(s => s.toFixed(1))
		rows.push([type, ...times, (growth / 1e6).toFixed(0)])
	}
	return markdown('list of a million | built, s | read, s | read in another form, s | memory growth, MB', rows)
}
