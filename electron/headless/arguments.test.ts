import {parseHeadlessArguments} from './arguments.ts'

test('without arguments the sandbox is allowed, a browser may open and the port is the usual one', () => {
	expect(parseHeadlessArguments([])).toMatchObject({port: undefined, sandbox: true, open: true, json: false, help: false})
})

test('each argument is understood', () => {
	const argv = [
		'--headless',
		'--no-open',
		'--json',
		'--port',
		'0',
		'--profile',
		'/p',
		'--no-sandbox',
		'--sandbox-computers',
		'5',
		'--sandbox-seed',
		's'
	]
	expect(parseHeadlessArguments(argv)).toMatchObject({
		port: 0,
		profile: '/p',
		json: true,
		open: false,
		sandbox: false,
		sandboxComputers: 5,
		sandboxSeed: 's'
	})
})

test.each([[['--port', '70000']], [['--port', '-1']], [['--port', '1e3']], [['--sandbox-computers', '0']], [['--nonsense']], [['stray']]])(
	'%j is refused in a sentence',
	argv => {
		expect(() => parseHeadlessArguments(argv)).toThrow(/must be a whole number|\w'?\. Try --help\.$/)
	}
)
