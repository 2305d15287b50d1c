import fc from 'fast-check'
import {CordonError} from '../contract/errors.ts'
import type {RawArgs} from './arguments.ts'
import {catalogue} from './catalogue.ts'
import {formatLine, parseLine, requireLine} from './parse.ts'
import {quote, splitWords, unquote} from './words.ts'

const guid = 'd7fbcdb6-0a14-4e39-867e-02f5e1649497'

/** Difficult text: quotes, blanks of every kind, backslashes, syntax characters, emoji. */
const nasty = fc.oneof(
	fc.string({unit: 'binary'}),
	fc.string({unit: fc.constantFrom('"', '`', '\\', ' ', '\n', '\t', '=', '!', ',', 'a', '\u00a0', '😀', "'")})
)

describe('the typed line', () => {
	it('gives name and arguments, with or without the exclamation mark', () => {
		const expected = {limit: '10', hostname: ['FIN-']}
		for (const line of [
			'!svc_get_computers limit=10 hostname=FIN-',
			'  svc_get_computers   limit=10\thostname=FIN- ',
			'! svc_get_computers limit=10 hostname=FIN-'
		])
			expect(parseLine(line)).toMatchObject({name: 'svc_get_computers', args: expected, problems: []})
	})

	it('takes blanks and quotes inside quotes', () => {
		const {args} = parseLine('svc_get_policies name="a \\"b\\" \\\\ c" name=`raw "text" \\n` name="C:\\temp"')
		expect(args).toEqual({name: ['a "b" \\ c', 'raw "text" \\n', 'C:\\temp']})
	})

	it('takes the main argument without its name, and options among the arguments', () => {
		expect(requireLine(`svc_get_computers_isolation ${guid} status=isolated wait`)).toMatchObject({
			args: {connector_guid: guid, status: 'isolated'},
			options: {wait: 600}
		})
		expect(requireLine(`svc_get_computers_isolation reveal reason="locked out" ${guid}`).options).toEqual({reveal: true, reason: 'locked out'})
		expect(requireLine('svc_get_computer_activity all q=a').options).toEqual({all: true})
		expect(requireLine('svc_get_computer_activity "all"').args).toEqual({q: 'all'})
	})

	it('knows aliases', () => {
		expect(requireLine(`svc_get_computer_trajectory ${guid}`).spec.name).toBe('svc_get_computer_trajctory')
	})

	it('shows where each problem is', () => {
		const line = '!svc_get_computers limit=ten hostname=a,,b limit=5 what colour=red'
		const found = parseLine(line).problems.map(({from, to, message}) => [line.slice(from, to), message])
		expect(found).toEqual([
			['what', '"what" belongs to no argument'],
			['limit=5', 'limit is given more than once'],
			['hostname=a,,b', 'hostname is empty'],
			['colour=red', 'svc_get_computers has no argument colour']
		])
	})

	it('points at the word whose value is wrong when several were given', () => {
		const line = `svc_get_events connector_guid=${guid},${guid} connector_guid=nonsense`
		const [problem] = parseLine(line).problems
		expect(line.slice(problem?.from, problem?.to)).toBe('connector_guid=nonsense')
	})

	it('marks what is still missing at the end of the line', () => {
		const [problem] = parseLine('!svc_get_group').problems
		expect(problem).toMatchObject({from: 14, to: 14, missing: true, field: 'group_guid'})
	})

	it('names an open quote and an unknown command', () => {
		expect(parseLine('svc_get_groups name="Aud').problems[0]).toMatchObject({from: 15, to: 24, message: 'The quote " is not closed'})
		expect(parseLine('svc_get_computer').problems[0]).toMatchObject({
			code: 'unknown_command',
			fix: expect.stringContaining('did you mean svc_get_computers, ')
		})
		expect(parseLine('   ').problems[0]?.code).toBe('usage')
	})

	it('refuses options that make no sense', () => {
		expect(parseLine(`svc_get_computers_isolation ${guid} reveal`).problems[0]?.message).toContain('needs a reason')
		expect(parseLine(`svc_get_computers_isolation ${guid} wait=5`).problems[0]?.message).toContain('no state to wait for')
		expect(parseLine(`svc_get_computers_isolation ${guid} status=isolated wait=soon`).problems[0]?.field).toBe('wait')
		expect(parseLine('svc_get_version all').problems[0]?.message).toContain('belongs to no argument')
	})

	it('throws the first problem where one is asked for', () => {
		expect(() => requireLine('svc_get_computers limit=0')).toThrow(CordonError)
	})

	it('gives back every value that was written', () => {
		const specs = fc.constantFrom(...catalogue.filter(spec => Object.keys(spec.args).length > 0))
		const written = specs.chain(spec => {
			const values = Object.entries(spec.args).map(
				([name, arg]) => [name, arg.many === 'no' ? nasty : fc.array(nasty, {minLength: 1, maxLength: 3})] as const
			)
			return fc.record({name: fc.constant(spec.name), args: fc.record(Object.fromEntries(values), {requiredKeys: []})})
		})
		fc.assert(
			fc.property(written, ({name, args}) => {
				const parsed = parseLine(formatLine(name, args as RawArgs)) // the record above holds texts and arrays of texts only
				expect(parsed.name).toBe(name)
				expect(parsed.args).toEqual(args)
			})
		)
	})

	it('quotes only what needs it', () => {
		expect(formatLine('svc_get_groups', {name: 'Audit'})).toBe('svc_get_groups name=Audit')
		expect(formatLine('svc_get_groups', {name: 'a b'})).toBe('svc_get_groups name="a b"')
		expect(formatLine('svc_get_groups', {name: 'say "x"'})).toBe('svc_get_groups name=`say "x"`')
	})

	it('says who makes the code of an isolation and how long it is meant to last', () => {
		const guid = 'd7fbcdb6-0a14-4e39-867e-02f5e1649497'
		const isolate = `svc_put_computers_isolation ${guid}`
		const read = (more: string) => parseLine(`${isolate} ${more}`)
		expect(read('code=generated lease=7d auto-release ticket=INC-7').options).toEqual({
			...{code: 'generated', lease: 168, autoRelease: true, ticket: 'INC-7'}
		})
		expect([read('lease=4h').options, read('lease=24').options]).toEqual([{lease: 4}, {lease: 24}])
		const {args, options} = read('code=service lease=none')
		expect(parseLine(formatLine('svc_put_computers_isolation', args, options)).options).toEqual(options)
		for (const [more, part] of [
			['lease=soon', 'lease cannot be soon'],
			['lease=31d', 'lease cannot be 31d'],
			['code=mine', 'code cannot be mine'],
			['lease=none auto-release', 'needs a lease that ends'],
			['code=generated unlock_code=abc', 'a code of your own']
		] as const)
			expect(read(more).problems[0]?.message).toContain(part)
		expect(parseLine(`svc_delete_computers_isolation ${guid} lease=4h`).problems).not.toEqual([])
	})

	it('never fails on any text, and no problem lies outside it', () => {
		fc.assert(
			fc.property(
				fc.oneof(
					nasty,
					nasty.map(text => `svc_get_computers ${text}`)
				),
				line => {
					for (const {from, to} of parseLine(line).problems) expect(from >= 0 && from <= to && to <= line.length).toBe(true)
				}
			)
		)
	})
})

describe('words', () => {
	it('survive quoting, forced or not', () => {
		fc.assert(
			fc.property(nasty, fc.boolean(), (text, forced) => {
				const written = quote(text, forced)
				expect(unquote(written)).toBe(text)
				expect(splitWords(`a ${written} b`).map(({raw}) => raw)).toEqual(['a', written, 'b'])
			})
		)
	})
})
