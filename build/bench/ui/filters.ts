/** A typed filter, from the input to the rows on the screen: set, and cleared. */
import type {Figure} from '../measure.ts'
import {untilShown} from './probe.ts'
import {computers, events, type Stage} from './stage.ts'

export const computerFilters = ['FIN-', 'os:windows compromised:yes', 'last_seen<1d', 'ip:10.20.0.0/16', 'isolation:pending*']
const eventFilters = ['severity>=high', 'outcome:open', 'host:FIN-WS-00042', 'ip:10.3.0.0/16', 'powershell']

type Seen = Pick<Stage, 'page' | 'visit'>

export function computerFiltering(stage: Seen): Promise<readonly Figure[]> {
	return filtering(stage, '/computers', `${computers} computers`, computerFilters)
}

export function eventFiltering(stage: Seen): Promise<readonly Figure[]> {
	return filtering(stage, '/events', `${events} events`, eventFilters)
}

async function filtering({page, visit}: Seen, path: string, over: string, texts: readonly string[]): Promise<readonly Figure[]> {
	await visit(path)
	// By its name: the previous screen stays for a moment after the visit.
	const box = page.getByRole('searchbox', {name: `Filter the ${path.slice(1)}`})
	await box.waitFor()
	await page.locator('[data-shown]').first().waitFor()
	// Warm-up, as after a first look at the screen.
	await untilShown(page, () => box.fill('zzz'))
	await untilShown(page, () => box.fill(''))
	const put: number[] = []
	const taken: number[] = []
	for (const text of [...texts, ...texts, ...texts]) {
		put.push(await untilShown(page, () => box.fill(text)))
		taken.push(await untilShown(page, () => box.fill('')))
	}
	return [
		{name: `filter over ${over}: input to rows on the screen`, unit: 'ms', values: put, target: 'under 50'},
		{name: `filter over ${over} taken away`, unit: 'ms', values: taken, target: 'under 50'}
	]
}
