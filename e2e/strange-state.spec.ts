/** A success with an unknown state: it is shown as it is, and nothing is done because of it. */
import {stateMissing, stateStrange} from '#text/isolation.ts'

import {altering} from './altered.ts'
import {expect} from './fixtures.ts'
import {bulk} from './jobs.ts'
import {dialog, expectIsolation, filterBox, main, openComputer, press, reasonOf, region, rowOf, tab, writesTo, says, decide} from './screens.ts'

const host = 'FIN-LT-0231'
const strange = 'quarantined_lite'

/** The record of that computer in a listing or alone, up to the state of its isolation. */
const record = new RegExp(`("hostname":"${host}"(?:(?!"hostname").)*?"status":")not_isolated"`, 'gs')

/** Another computer, of which the service says nothing about isolation. */
const silent = 'FIN-WS-0002'
const silentRecord = new RegExp(`("hostname":"${silent}"(?:(?!"hostname").)*?)"isolation":\\{[^}]*\\},`, 'gs')

const test = altering(body => body.replaceAll(record, `$1${strange}"`).replaceAll(silentRecord, '$1'))

test('the list, the computer and a plan show it as unknown, and nothing is sent', async ({listed: page, service}) => {
	await filterBox(page).fill(`name:${host}`)
	await expect(rowOf(page, host)).toHaveAccessibleName(/isolation: unknown/)
	await bulk(page, 'isolate', [host])
	await reasonOf(page).fill('Beaconing')
	await decide(page, 'Create plan')
	const out = region(dialog(page), 'Skipped')
	await says(out, `Its state is "${strange}", which is not known here.`)
	await press(page, 'Escape')
	await openComputer(page, host)
	await expectIsolation(page, 'unknown')
	await says(main(page), stateStrange(strange))
	await tab(page, 'JSON').click()
	await says(page.getByLabel('JSON of the record', {exact: true}), `"status": "${strange}"`)
	expect(await writesTo(service)).toEqual([])
})

test('a computer without a state is told apart from one with a strange state', async ({page}) => {
	await openComputer(page, silent)
	await expectIsolation(page, 'unknown')
	await says(main(page), stateMissing)
})
