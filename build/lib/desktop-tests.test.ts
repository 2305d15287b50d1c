import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'

import {skippedIn} from './browser-tests.mjs'
import {planDesktop} from './desktop-tests.mjs'
import {ensureBuilt} from './dist.mjs'
import {at} from './paths.mjs'

const all = ['xvfb-run', 'dbus-run-session', 'runuser']
const keyring = 'gnome-keyring-daemon'
const linux = {binary: '/e/electron', platform: 'linux', environment: {}, uid: 1000} as const
const having = (names: string[]) => ({...linux, has: (name: string) => names.includes(name)})

describe('where the desktop pass runs', () => {
	test('an ordinary user with a virtual display', () => {
		expect(planDesktop(having(all))).toEqual({
			user: undefined,
			before: ['dbus-run-session', '--', 'xvfb-run', '-a', '-s', '-screen 0 1600x1000x24 -noreset']
		})
	})

	test('a keyring only on a bus of its own', () => {
		const asText = (names: string[]) => JSON.stringify(planDesktop(having(names)))
		expect(asText([...all, keyring])).toContain(`${keyring} --unlock`)
		expect(asText(['xvfb-run', keyring])).not.toContain(keyring)
	})

	test('root hands it to the user that was named', () => {
		const plan = planDesktop({...having(all), uid: 0, environment: {CORDON_DESKTOP_USER: 'somebody'}})
		expect(plan).toMatchObject({user: 'somebody'})
		expect(plan.before?.slice(0, 4)).toEqual(['runuser', '-u', 'somebody', '--'])
	})

	test('a display of its own is enough', () => {
		expect(planDesktop({...having([]), environment: {DISPLAY: ':0'}})).toEqual({before: [], user: undefined})
		expect(planDesktop({...having([]), platform: 'darwin', uid: 501})).toEqual({before: [], user: undefined})
	})

	test.each([
		['Electron is not installed', {...having(all), binary: undefined}],
		['the window does not run as root', {...having(all), uid: 0}],
		['there is no display, and no xvfb-run that would make one', having([])]
	])('does not run where %s', (reason, computer) => {
		expect(planDesktop(computer)).toEqual({skip: reason})
	})
})

describe('the built program', () => {
	beforeAll(() => ensureBuilt(process.execPath, {quiet: true}))

	test('only the entry of the tests takes the debugging switch', () => {
		const folder = at('dist', 'node')
		const files = readdirSync(folder, {recursive: true, encoding: 'utf8'}).filter(name => name.endsWith('.js'))
		const taking = files.filter(name => readFileSync(join(folder, name), 'utf8').includes('__playwright_run'))
		expect(taking).toEqual(['main-test.js'])
		// The ordinary entry refuses the whole list, as it stands.
		expect(readFileSync(join(folder, 'main.js'), 'utf8')).toMatch(/refused: weakeningSwitches,/)
		expect(readFileSync(at('build', 'package-app.mjs'), 'utf8')).toContain("!== 'main-test.js'")
	})
})

test('a skipped test is reported with its reason', () => {
	const spec = (title: string, status: string, annotations: object[] = []) => ({title, tests: [{status, annotations}]})
	const nested = {specs: [spec('it is quiet', 'skipped', [{type: 'skip', description: 'dunst is not here'}])]}
	const suite = {specs: [spec('it holds', 'expected'), spec('it is old', 'skipped')], suites: [nested]}
	expect(skippedIn(suite)).toEqual(['Skipped: "it is old" (no reason given).', 'Skipped: "it is quiet" (dunst is not here).'])
})
