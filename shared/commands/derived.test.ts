import {catalogue, findCommand} from './catalogue.ts'
import {fieldsOf} from './fields.ts'
import {requireLine} from './parse.ts'
import {csvOf, tableOf} from './table.ts'
import {referenceMarkdown, shellLine, usageText} from './usage.ts'

describe('what is derived from the catalogue', () => {
	it.each(catalogue)('$name: its examples can be run as they stand', spec => {
		expect(spec.examples.length).toBeGreaterThan(0)
		for (const example of spec.examples) expect(requireLine(example).spec.name).toBe(spec.name)
	})

	it.each(catalogue)('$name: its positional, rules and options name what exists', spec => {
		const names = Object.keys(spec.args)
		if (spec.positional !== null) expect(names).toContain(spec.positional)
		for (const rule of spec.rules) expect(names).toEqual(expect.arrayContaining([...rule.of]))
		for (const option of spec.options) expect(names).not.toContain(option)
	})

	it('help shows usage, required marks, choices, options and a shell example', () => {
		const spec = findCommand('svc_get_computers_isolation')
		const text = spec === undefined ? '' : usageText(spec)
		expect(text).toContain('cordon svc_get_computers_isolation CONNECTOR_GUID [--status CHOICE]')
		expect(text.replace(/\s+/g, ' ')).toContain('One of not_isolated, pending_start, isolated, pending_stop.')
		expect(text).toContain('Also: isolation; a short name takes the name of a computer as well')
		expect(text).toContain('--wait [SECONDS]')
		for (const line of text.split('\n').filter(each => !each.includes('d7fbcdb6'))) expect(line.length).toBeLessThanOrEqual(80)
	})

	it('examples are quoted for the shell', () => {
		expect(shellLine(`svc_get_groups name="it's"`)).toBe(String.raw`cordon svc_get_groups --name 'it'\''s'`)
	})

	it('the reference has a section for each command', () => {
		const text = referenceMarkdown()
		for (const spec of catalogue) expect(text).toContain(`\n## ${spec.name}\n`)
	})

	it('forms ask for the main argument first', () => {
		const spec = findCommand('svc_set_file_list_files_by_sha')
		const fields = spec === undefined ? [] : fieldsOf(spec)
		expect(fields.map(({name, label, required}) => [name, label, required])).toEqual([
			['sha256', 'SHA-256', true],
			['file_list_guid', 'File list GUID', true],
			['description', 'Description', false]
		])
	})
})

describe('a result as a table', () => {
	const result = {
		kind: 'list',
		noun: ['event', 'events'],
		columns: [
			['Id', 'id'],
			['Name', 'computer.hostname'],
			['Address', 'ips.0']
		]
	} as const

	it('walks paths and keeps exact digits', () => {
		const data = [{id: 6533241145273614340n, computer: {hostname: 'FIN-1'}, ips: ['10.0.0.1']}, {id: 1}]
		expect(tableOf(result, data).rows).toEqual([
			['6533241145273614340', 'FIN-1', '10.0.0.1'],
			['1', '', '']
		])
	})

	it('shows one object as one row, and the events inside an object', () => {
		expect(tableOf(result, {id: 7}).rows).toEqual([['7', '', '']])
		expect(tableOf(result, {computer: {}, events: [{id: 1}, {id: 2}]}).rows).toHaveLength(2)
		expect(tableOf(result, null).rows).toEqual([])
	})

	it('lets no record move the cursor or start a formula', () => {
		const table = tableOf(result, [{id: -5, computer: {hostname: '=HYPERLINK("x")\u001b[2J\nb'}}])
		expect(table.rows[0]?.[1]).toBe('=HYPERLINK("x")‹U+001B›[2J‹U+000A›b')
		expect(csvOf(table)).toBe(`Id,Name,Address\r\n'-5,"'=HYPERLINK(""x"")‹U+001B›[2J‹U+000A›b",\r\n`)
	})
})
