import {inTurns} from '#base/testing/until.ts'
import {omitUndefined} from '#shared/omit-undefined.ts'
import {readSource, reportOf} from './read.ts'

const [a, b, c] = ['a', 'b', 'c'].map(letter => `${letter}1`.repeat(32)) as [string, string, string]
const sha1 = 'd'.repeat(40)
const md5 = 'e'.repeat(32)
const now = Date.parse('2026-11-21T00:00:00Z')
const read = (name: string, text: string, columns?: {hash: number; note: number | null}) =>
	readSource({name, text, ...omitUndefined({columns})}, now)

test('a list has one hash to a line, with its note before or after it, and comments', async () => {
	const text = `\uFEFF# from the case\r\n${a}\r\n${b.toUpperCase()}  dropper of stage 2\ninvoice.exe: ${c}\n\n; end\n`
	expect(await read('hashes.txt', text)).toMatchObject({
		format: 'text',
		found: [
			{text: a, note: '', place: 'line 2'},
			{text: b.toUpperCase(), note: 'dropper of stage 2', place: 'line 3'},
			{text: c, note: 'invoice.exe', place: 'line 4'}
		],
		ignored: []
	})
})

test('a report gives the hashes in it, and says how many lines had none', async () => {
	const text = `The actor drops two files.\nThey are "${a}" and (${b}).\nBoth are packed.`
	const source = await read('report.txt', text)
	expect(source.found.map(one => one.text)).toEqual([a, b])
	expect(source.ignored).toEqual(['2 lines without a hash'])
})

test('a line with several hashes of a file gives the SHA-256 alone; other hashes are reported', async () => {
	expect((await read('x.txt', `${md5} ${sha1} ${a} loader\n${sha1}\nnonsense`)).found).toEqual([
		{text: a, note: 'loader', place: 'line 1'},
		{text: sha1, note: '', place: 'line 2'},
		{text: 'nonsense', note: '', place: 'line 3'}
	])
	expect(await reportOf(await read('x.txt', `${a}\n${a}\n${sha1}\n${sha1}`))).toMatchObject({hashes: 1, others: 1})
})

test('65 digits are not a hash with one digit left over', async () => {
	expect((await read('x.txt', `${a}0`)).found).toEqual([{text: `${a}0`, note: '', place: 'line 1'}])
})

test('a table gives the column with the most hashes, whatever it is called, with the lines of the file', async () => {
	const text = `name;seen;hash\n"loader; stage 1";2026-01-01;${a}\n"two\nlines";2026-01-02;${b}\nempty;2026-01-03;\n`
	const source = await read('iocs.csv', text)
	expect(source).toMatchObject({format: 'csv', chosen: {hash: 2, note: null}})
	expect(source.found).toEqual([
		{text: a, note: '', place: 'line 2'},
		{text: b, note: '', place: 'line 4'}
	])
	expect(source.ignored).toEqual(['1 row with nothing in the column'])
	expect(source.columns.map(({title, hashes}) => [title, hashes])).toEqual([
		['name', 0],
		['seen', 0],
		['hash', 2]
	])
})

test('columns can be chosen; one that is not there is refused by its name', async () => {
	const text = `${a},loader,${b}\n${c},dropper,${a}\n`
	expect((await read('iocs.csv', text, {hash: 2, note: 1})).found).toEqual([
		{text: b, note: 'loader', place: 'line 1'},
		{text: a, note: 'dropper', place: 'line 2'}
	])
	await expect(read('iocs.csv', text, {hash: 3, note: null})).rejects.toThrow('there is no column 4')
	await expect(read('iocs.csv', text, {hash: 0, note: 7})).rejects.toThrow('there is no column 8')
})

test('a damaged table is refused with where it is damaged', async () => {
	await expect(read('iocs.csv', `hash,note\n${a},"never closed\n${b},x\n`)).rejects.toThrow(/table cannot be read.*line 3/i)
})

test('tabs and bars part columns too', async () => {
	expect((await read('x.tsv', `hash\tnote\n${a}\tone\n`, {hash: 0, note: 1})).found).toMatchObject([{text: a, note: 'one'}])
	expect((await read('pasted', `${a}|one\n${b}|two`)).format).toBe('csv')
})

const bundle = (...objects: unknown[]) => JSON.stringify({type: 'bundle', id: 'bundle--1', objects})
const indicator = (pattern: string, more: object = {}) => ({
	type: 'indicator',
	id: 'indicator--1',
	name: 'Loader',
	pattern_type: 'stix',
	pattern,
	...more
})

test('a STIX bundle gives the hashes of its file indicators and file objects', async () => {
	const text = bundle(indicator(`[file:hashes.'SHA-256' = '${a}' OR file:hashes.'SHA-256' = '${b}']`), {
		type: 'file',
		id: 'file--1',
		name: 'drop.exe',
		hashes: {MD5: md5, 'SHA-256': c}
	})
	expect(await read('feed.json', text)).toMatchObject({
		format: 'stix',
		found: [
			{text: a, note: 'Loader', place: 'indicator--1'},
			{text: b, note: 'Loader', place: 'indicator--1'},
			{text: c, note: 'drop.exe', place: 'file--1'}
		]
	})
})

test.each([
	['a list of values', `[file:hashes.'SHA-256' IN ('${a}', '${a}')]`, 2],
	['other quotes', `[file:hashes."SHA-256" = '${a}']`, 1],
	['no quotes, as STIX 2.0 writes it', `[file:hashes.SHA256 = '${a}']`, 1],
	['a file inside of another object', `[file:content_ref.hashes.'SHA-256' = '${a}']`, 1],
	['what must not be', `[file:hashes.'SHA-256' != '${a}']`, 0],
	['what is not', `[file:name = 'x' AND NOT file:hashes.'SHA-256' = '${a}']`, 0],
	['a negated list', `[file:hashes.'SHA-256' NOT IN ('${a}')]`, 0],
	['another kind of object', `[artifact:hashes.'SHA-256' = '${a}']`, 0]
])('STIX patterns: %s', async (_, pattern, count) => {
	expect((await read('feed.json', bundle(indicator(pattern)))).found.map(({text}) => text)).toEqual(Array.from({length: count}, () => a))
})

test('an indicator with weaker hashes alone is reported; with a SHA-256 they are skipped', async () => {
	const both = indicator(`[file:hashes.MD5 = '${md5}' OR file:hashes.'SHA-256' = '${a}']`)
	expect((await read('feed.json', bundle(both))).found.map(({text}) => text)).toEqual([a])
	expect((await read('feed.json', bundle(indicator(`[file:hashes.MD5 = '${md5}']`)))).found.map(({text}) => text)).toEqual([md5])
})

test('revoked and expired indicators, and such of other things, are passed over and counted', async () => {
	const pattern = `[file:hashes.'SHA-256' = '${a}']`
	const text = bundle(
		indicator(pattern, {revoked: true}),
		indicator(pattern, {valid_until: '2026-11-20T23:59:59Z'}),
		indicator("[ipv4-addr:value = '203.0.113.7']"),
		indicator(pattern, {valid_until: '2026-11-22T00:00:00Z'})
	)
	const source = await read('feed.json', text)
	expect(source.found).toHaveLength(1)
	expect(source.ignored).toEqual(['1 indicator revoked', '1 indicator expired', '1 indicator not about the hash of a file'])
})

test('observed data of STIX 2.0 keeps its objects inside', async () => {
	const observed = {type: 'observed-data', id: 'observed-data--1', objects: {0: {type: 'file', hashes: {'SHA-256': a}}}}
	expect((await read('feed.json', bundle(observed))).found).toMatchObject([{text: a, place: 'observed-data--1'}])
})

test('a large bundle is read in turns', async () => {
	const objects = Array.from({length: 40_000}, () => indicator(`[file:hashes.'SHA-256' = '${a}']`))
	const {result, turns} = await inTurns(read('feed.json', bundle(...objects)))
	expect(result.found).toHaveLength(objects.length)
	expect(turns).toBeGreaterThan(0)
})

test('JSON that is no bundle is read as text', async () => {
	expect((await read('x.json', `{\n "hashes": [ "${a}" ]\n}`)).found).toMatchObject([{text: a}])
})
