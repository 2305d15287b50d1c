/** A million values of each kind through the list service: built, and read twice. */
import {measureLongList} from '#gateway/instances/list/testing/measure.ts'

const million = 1_000_000

export async function benchLists() {
	const rows = ['| list of a million | built, s | read, s | read in another form, s | memory growth, MB |', '| --- | --- | --- | --- | --- |']
	for (const type of ['sha256', 'ip', 'url', 'domain'] as const) {
		const {entries, exact, buildSeconds, readSeconds, growth} = await measureLongList(type, million)
		if (entries !== million || !exact) throw new Error(`The list of type ${type} did not come out whole.`)
		const cells = [type, ...[buildSeconds, readSeconds.file, readSeconds.variant].map(s => s.toFixed(1))]
		rows.push(`| ${[...cells, (growth / 1e6).toFixed(0)].join(' | ')} |`)
	}
	return rows.join('\n')
}
