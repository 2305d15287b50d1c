/** Policies, connections and instances: what is set up once and changed now and then. */
import {once} from 'node:events'
import {request} from 'node:https'

import type {Page} from '@playwright/test'

import {usualSetup} from '../fixtures.ts'
import {forwardingSetup, onAnyPort, routeOf, startUpstream} from '../forwarding.ts'
import {
	areListed,
	button,
	comboBox,
	dialog,
	dialogSays,
	field,
	grid,
	heading,
	link,
	list,
	listIsRead,
	listItem,
	option,
	reasonOf,
	searchBox,
	tableRow,
	tenant,
	treeGrid,
	shows,
	isShown,
	isHidden,
	isFocused,
	says
} from '../screens.ts'
import {askService} from '../processes.ts'
import {timesIn} from './state.ts'
import {expect, task} from './task.ts'

const screen = (page: Page, name: RegExp) => link(page.getByRole('navigation', {name: 'Screens'}), name)

task.describe(() => {
	task('7 compare two policies and assign one to a group', async ({page, hand, service, app}) => {
		await listIsRead(page)
		await hand.click(screen(page, /^Policies/))
		const policies = grid(page, 'Policies', true)
		for (const name of ['Protect', 'Triage']) {
			await hand.click(tableRow(policies, new RegExp(`^${name}, for Windows`)))
			await hand.press('x')
		}
		await hand.press('Shift+D')
		await isShown(heading(page, 'Compare two policies'))
		hand.leg('compare')

		await hand.click(screen(page, /^Groups/))
		await hand.click(searchBox(page, 'Search the groups'))
		await hand.type('legal')
		const group = tableRow(treeGrid(page, 'Groups'), /^Legal,/)
		await hand.click(group)
		await hand.press('o')
		await dialogSays(page, 'Assign policies to Legal')
		await hand.click(button(dialog(page), /Windows/))
		await hand.click(option(page, 'Triage'))
		await hand.click(reasonOf(page))
		await hand.say('Under attack')
		await hand.click(button(dialog(page), new RegExp(`^Set the Windows policy of Legal.*${tenant}$`)))
		await dialogSays(page, 'the group has these policies')
		await hand.click(button(dialog(page), 'Close', true).last())
		hand.leg('assign')
		const [legal] = await askService<readonly {guid: string}[]>(service, 'groups?name=Legal')
		const {policies: of} = await askService<{policies: {name: string; product: string}[]}>(service, `groups/${legal?.guid ?? ''}`)
		expect(of.find(({product}) => product === 'windows')?.name).toBe('Triage')
		expect(await timesIn(app, 'svc_set_group_policy')).toBe(1)
	})
})

task.describe(() => {
	task.use({setup: {...usualSetup, connection: 'none', console: ['--sandbox-computers', '60']}})

	task('8 add a connection, with a wrong key first', async ({page, hand, service, app}) => {
		await listIsRead(page)
		await hand.click(button(page, 'Connect your service'))
		const form = dialog(page, 'Connect your service')
		await isFocused(field(form, 'Name'))
		await hand.type('Acme')
		await hand.tabTo(comboBox(form, 'Server URL'))
		await hand.paste(service.url)
		// Its suggestions cover the rest of the form until it is left.
		await hand.press('Tab')
		await isFocused(field(form, 'Client ID'))
		await hand.paste(service.clientId)
		await hand.tabTo(field(form, 'API key'))
		await hand.paste('00000000-0000-0000-0000-000000000000')
		await hand.click(button(form, 'Connect', true))
		await isShown(heading(page, 'Could not load the computers'))
		hand.leg('add it with a wrong key')

		await hand.click(button(page, 'Replace key'))
		const change = dialog(page, 'Change Acme')
		await isFocused(field(change, 'API key'))
		await hand.paste(service.apiKey)
		await hand.click(button(change, 'Save'))
		await isHidden(change)
		await hand.click(screen(page, /^Computers/))
		await areListed(page)
		hand.leg('replace the key')
		expect((await app.cli('connections', 'test', 'Acme')).code).toBe(0)
	})
})

task.describe(() => {
	task.use({setup: forwardingSetup})

	task('9 expose an instance and protect it', async ({page, hand, app}) => {
		await using upstream = await startUpstream()
		await onAnyPort(app)
		await hand.click(screen(page, /^Instances/))
		await hand.click(button(page, 'Add instance…').first())
		const form = dialog(page)
		await isFocused(field(form, 'Name'))
		await hand.type('files')
		await hand.click(field(form, 'Port', true))
		await hand.type(String(upstream.port))
		await hand.click(form.getByText('Expose it at the route at once'))
		await hand.click(button(form, 'Add instance', true))
		await isHidden(form)
		await shows(page, 'exposed: override')
		const url = await routeOf(page)
		hand.leg('expose')
		expect(await statusOf(url)).toBe(200)

		await hand.click(button(page, 'Change…'))
		await hand.click(button(form, /Access control/))
		await hand.click(option(page, /^User and password/))
		await hand.click(field(form, 'User', true))
		await hand.type('firewall')
		await hand.press('Tab')
		await hand.paste('s3cret:with:colons')
		await hand.click(button(form, 'Save', true))
		await isHidden(form)
		await hand.click(button(page, 'Probe…'))
		const stages = list(dialog(page), 'Result of the probe')
		await says(listItem(stages).filter({hasText: 'Access'}), '401')
		hand.leg('protect and probe')
		expect(await statusOf(url)).toBe(401)
		expect(await statusOf(url, 'firewall:s3cret:with:colons')).toBe(200)
	})
})

/** What a client meets at the route; whom it trusts is no part of the task. */
async function statusOf(url: string, user?: string) {
	const asked = request(`${url}/`, {rejectUnauthorized: false, agent: false, ...(user === undefined ? {} : {auth: user})})
	asked.end()
	const [answer] = await once(asked, 'response')
	answer.resume()
	return answer.statusCode
}
