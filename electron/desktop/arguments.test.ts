import {parseDesktopArguments} from './arguments.ts'

test('the starter hands its arguments over in the environment', () => {
	const json = JSON.stringify(['--profile', '/p', '--no-sandbox', '--sandbox-computers', '10', '--sandbox-seed', 's'])
	expect(parseDesktopArguments(json)).toEqual({profile: '/p', sandbox: false, sandboxComputers: 10, sandboxSeed: 's'})
	expect(parseDesktopArguments('["--sandbox-computers","1000000"]').sandboxComputers).toBe(1_000_000)
	expect(parseDesktopArguments(undefined)).toMatchObject({profile: undefined, sandbox: true})
})

test('an unknown argument and a wrong number are refused', () => {
	expect(() => parseDesktopArguments('["--what"]')).toThrow('--what')
	expect(() => parseDesktopArguments('["--sandbox-computers","0"]')).toThrow('whole number')
})
