/** An empty profile, a failing service, and an empty one. */
import {say} from '../lib/say.mjs'
import {addConnection, startService} from './running.mjs'
import {alert, button, dialog, main, tab, tableRow, title} from './roles.mjs'
import {isSettled, small} from './stage.mjs'

const screens = ['overview', 'computers', 'groups', 'policies', 'file-lists', 'events', 'log', 'instances']
const withStates = [...screens, 'search?q=FIN-LT', 'jobs', 'command-line']
/** For the documents; the others are for review. */
const ofDocuments = new Set(['computers-failed', 'instances-empty'])

export async function showFirstStart({profile, take}) {
	await take(profile, ['--no-sandbox'], async ({page, picture}) => {
		await title(page, 'Connect your service').waitFor()
		await picture('first-start')
	})
}

export async function showFailed(world) {
	await against(world, ['--computers', '300', '--weather', 'GET /v1/*=500'], async stage => {
		const {page} = stage
		await eachScreen(stage, 'failed', async () => {
			await alert(main(page)).first().waitFor({timeout: 20_000}).catch(nothing)
		})
	})
}

/** The smallest tenant: the sandbox has at least one computer. */
export async function showEmpty(world) {
	await against(world, ['--computers', '1'], async stage => {
		await eachScreen(stage, 'empty', () => isSettled(stage.page))
	})
}

/** Gives a screen that was too slow a second chance, and goes on with the others. */
async function eachScreen(stage, state, ready) {
	const failures = []
	for (const screen of withStates) {
		const take = async () => {
			await stage.go(`/${screen}`)
			await ready()
			await inState(stage, screen, state)
		}
		await take().catch(cause => {
			say(`${screen}: ${cause.message}; once more`)
			return take().catch(() => failures.push(screen))
		})
	}
	if (failures.length > 0) throw new Error(`no picture of ${failures.join(', ')}`)
}

/** At 200% and in high contrast: every screen, one object of each kind, and what opens over them. */
export async function showAdapted(world) {
	await against(world, ['--computers', '300'], async stage => {
		const {page, go} = stage
		const more = ['search?q=FIN-LT', 'command-line', 'connections', 'settings', 'jobs', 'unlock-codes']
		for (const screen of [...screens, ...more, 'instances/parameters', 'policies?view=groups', 'policies?view=lists']) {
			await go(`/${screen}`)
			await page.waitForTimeout(2500)
			await adapted(
				stage,
				screen
					.replace(/\?view=/, '-')
					.replace(/\?.*/, '')
					.replace('/', '-')
			)
		}
		for (const [name, path, row] of objects) {
			await go(path)
			await tableRow(page, row).first().dblclick({timeout: 20_000})
			await page.waitForTimeout(2000)
			await adapted(stage, name)
			if (name === 'computer') await showOver(stage)
		}
	})
}

const objects = [
	['computer', '/computers?filter=compromised%3Ayes', /isolation:/],
	['group', '/groups', /^Corporate/],
	['policy', '/policies', /^Server, for Windows/],
	['file-list', '/file-lists', /^Known bad files,/],
	['event', '/events', /^\d|:/],
	['log-entry', '/log', /: /]
]

async function showOver(stage) {
	const {page} = stage
	for (const [name, keys] of [
		['isolate', 'i'],
		['move', 'm'],
		['keys', '?'],
		['palette', 'Control+k']
	]) {
		await page.keyboard.press(keys)
		await dialog(page).first().waitFor()
		await page.waitForTimeout(600)
		await adapted(stage, `over-${name}`)
		await page.keyboard.press('Escape')
		// The first Escape closes an open list; one too many would leave the computer.
		if (await page.getByRole('listbox').isHidden()) await dialog(page).first().waitFor({state: 'hidden'})
		else await page.keyboard.press('Escape')
	}
	await tab(page, 'Trajectory').click()
	await button(page, /^Load .*1 call$/).click()
	await button(page, 'Refresh · 1 call').waitFor()
	await adapted(stage, 'trajectory')
}

async function adapted({page, look}, name) {
	const theme = value => page.locator('html').evaluate((html, set) => html.setAttribute('data-theme', set), value)
	await page.setViewportSize({width: small.width / 2, height: small.height / 2})
	await look(`${name}-200`, ['light'])
	await page.setViewportSize(small)
	await theme('contrast')
	await look(`${name}-contrast`, ['light'])
	await theme('system')
}

async function against({program, profile, take}, args, work) {
	const service = await startService(program, args)
	try {
		await addConnection(program, profile, service, 'Test tenant')
		await take(profile, [], work)
	} finally {
		await service.stop()
	}
}

async function inState({picture, look, wide}, screen, state) {
	const name = `${screen.replace(/\?.*/, '')}-${state}`
	await (ofDocuments.has(name) ? picture(name) : look(name))
	await wide(`${name}-wide`)
}

/** Without an alert the picture is still worth a look. */
function nothing() {}
