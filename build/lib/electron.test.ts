import {wantsHeadless, whyNoSandbox, whyNoWindow} from './electron.mjs'

test('a window opens where there is a display and an ordinary user', () => {
	expect(whyNoWindow({platform: 'linux', environment: {DISPLAY: ':0'}, uid: 1000})).toBeUndefined()
	expect(whyNoWindow({platform: 'linux', environment: {WAYLAND_DISPLAY: 'wayland-0'}, uid: 1000})).toBeUndefined()
	expect(whyNoWindow({platform: 'darwin', environment: {}, uid: 501})).toBeUndefined()
	expect(whyNoWindow({platform: 'win32', environment: {}, uid: undefined})).toBeUndefined()
})

test('without a display, or as root, the reason is given', () => {
	expect(whyNoWindow({platform: 'linux', environment: {}, uid: 1000})).toBe('there is no display')
	expect(whyNoWindow({platform: 'linux', environment: {DISPLAY: ':0'}, uid: 0})).toContain('root')
})

test('what only the headless console takes starts that one', () => {
	const own = ['--headless', '--json', '--no-open', '--port=0', '--passphrase-file', '--help']
	expect(own.filter(arg => !wantsHeadless(['--profile', '/p', arg]))).toEqual([])
	expect(wantsHeadless(['--profile', '/p', '--no-sandbox', '--sandbox-computers', '5', '--sandbox-seed', 's'])).toBe(false)
})

describe('the sandbox of Electron', () => {
	const binary = "/home/o'neil/electron"
	const ubuntu = {platform: 'linux', stat: () => ({uid: 1000, mode: 0o100755}), makesNamespaces: () => false, hasProfile: () => false}

	test('is not available where only listed programs create namespaces; the message says what to do', () => {
		expect(whyNoSandbox(binary, ubuntu)).toEqual({
			reason: 'this system does not let Electron make its sandbox',
			fix: String.raw`sudo chown root '/home/o'\''neil/chrome-sandbox' && sudo chmod 4755 '/home/o'\''neil/chrome-sandbox'`
		})
		expect(whyNoSandbox(binary, {...ubuntu, stat: () => {}})).toBeDefined()
		// One of the two bits alone is not enough, nor is another owner.
		expect(whyNoSandbox(binary, {...ubuntu, stat: () => ({uid: 0, mode: 0o100755})})).toBeDefined()
		expect(whyNoSandbox(binary, {...ubuntu, stat: () => ({uid: 1000, mode: 0o104755})})).toBeDefined()
	})

	test.each([
		['on another system', {platform: 'darwin'}],
		['with the helper of root', {stat: () => ({uid: 0, mode: 0o104755})}],
		['where everybody makes namespaces', {makesNamespaces: () => true}],
		['with a profile', {hasProfile: (path: string) => path === binary}]
	])('can be made %s', (_where, having) => {
		expect(whyNoSandbox(binary, {...ubuntu, ...having})).toBeUndefined()
	})
})
