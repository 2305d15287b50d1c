import {catalogue} from './catalogue.ts'
import {completeLine, dynamicItems} from './complete.ts'
import {parseLine} from './parse.ts'

/** The bar marks the caret. */
function at(marked: string) {
	const caret = marked.indexOf('|')
	const line = marked.replace('|', '')
	return {line, completion: completeLine(line, caret)}
}

function labels(marked: string) {
	return at(marked).completion.items.map(({label}) => label)
}

/** The line after the first item was inserted. */
function taken(marked: string, values: string[] = []) {
	const {line, completion} = at(marked)
	const dynamic =
		completion.dynamic === null
			? []
			: dynamicItems(
					completion.dynamic,
					values.map(value => ({value, label: value}))
				)
	const [item] = [...completion.items, ...dynamic]
	return line.slice(0, completion.from) + (item?.text ?? '') + line.slice(completion.to)
}

describe('completion', () => {
	it('offers all commands on an empty line, and those that fit what is typed', () => {
		expect(labels('|')).toHaveLength(catalogue.length)
		expect(labels('!|')).toHaveLength(catalogue.length)
		expect(labels('!svc_get_ver|')).toEqual(['svc_get_version'])
		expect(labels('isolation|')).toEqual(['svc_delete_computers_isolation', 'svc_put_computers_isolation', 'svc_get_computers_isolation'])
		expect(labels('svc_get_computer_trajectory|')).toEqual(['svc_get_computer_trajectory'])
		expect(taken('!svc_get_ver|')).toBe('!svc_get_version ')
	})

	it('shows a value by its name, with what the line needs of it beside', () => {
		const request = at('svc_get_computer_by_connector connector_guid=FIN|').completion.dynamic
		const [item] = request === null ? [] : dynamicItems(request, [{value: 'ad29d359', label: 'FIN-LT-0231'}])
		expect(item).toMatchObject({text: 'connector_guid=ad29d359', label: 'FIN-LT-0231', detail: 'ad29d359'})
	})

	it('offers arguments that are not given yet, and several of those that take several', () => {
		expect(labels('!svc_get_computers limit=1 hostname=a |')).toEqual(['offset', 'hostname', 'internal_ip', 'external_ip', 'group_guid', 'all'])
		expect(taken('!svc_get_computers hostn|')).toBe('!svc_get_computers hostname=')
	})

	it('offers choices', () => {
		expect(taken('svc_get_computers_isolation status=is|')).toBe('svc_get_computers_isolation status=isolated')
		expect(taken('svc_get_policies product=windows,m|')).toBe('svc_get_policies product=windows,mac')
	})

	it('asks for values of the local copy, behind a comma too', () => {
		expect(at('svc_get_computers hostname=FIN|').completion.dynamic).toMatchObject({source: 'hostname', prefix: 'FIN'})
		expect(at('svc_get_computers hostname=FIN-1,H|').completion.dynamic).toMatchObject({prefix: 'H'})
		expect(at('svc_get_group |').completion.dynamic).toMatchObject({source: 'group', prefix: ''})
		expect(taken('svc_get_computers hostname=FIN-1,H|', ['HR 1'])).toBe('svc_get_computers hostname="FIN-1,HR 1"')
	})

	it('replaces the word under the caret and nothing else', () => {
		expect(taken('svc_get_computers hostname="FI|x" limit=1', ['FIN 1'])).toBe('svc_get_computers hostname="FIN 1" limit=1')
	})

	it('writes lines that read back', () => {
		const line = taken('svc_get_computers hostname=|', ['say "x"'])
		expect(parseLine(line)).toMatchObject({args: {hostname: ['say "x"']}, problems: []})
	})

	it('offers nothing after an unknown command', () => {
		expect(at('svc_get_nothing lim|').completion).toMatchObject({items: [], dynamic: null})
	})
})
