/** A tenant of 100,000 computers, a million stored events, and a page of the built console that shows them. */
import {mkdirSync} from 'node:fs'
import {join} from 'node:path'

import type {Browser, Page} from '@playwright/test'

import {fillEvents} from '#core/replicas/events/testing/fill.ts'
import {measureWindows} from '#core/replicas/events/testing/measure.ts'
import {launchChromium} from '../browser.ts'
import {median, type Figure} from '../measure.ts'
import {cli, withHost, withTenant, type Running} from '../processes.ts'
import {fillLog} from './log.ts'
import {installProbe} from './probe.ts'

export const computers = Number(process.env['CORDON_BENCH_COMPUTERS'] ?? 100_000)
export const events = Number(process.env['CORDON_BENCH_EVENTS'] ?? 1_000_000)

export interface Stage {
	browser: Browser
	page: Page
	host: Running
	sandbox: Running
	profile: string
	/** The event store's own time for its rows, without host and page. */
	storeAnswers: readonly Figure[]
	/** Opens a page of its own on a path such as `/events`. */
	visit(path: string): Promise<void>
}

export async function withStage<T>(act: (stage: Stage) => Promise<T>): Promise<T> {
	return await withTenant(computers, async (profile, sandbox) => {
		const storeAnswers = storeEvents(profile)
		await fillLog(profile)
		return await withHost(profile, host => inBrowser({host, sandbox, profile, storeAnswers}, act))
	})
}

function storeEvents(profile: string): readonly Figure[] {
	const {stdout} = cli(profile, ['connections', 'list', '--json'])
	const id = /"id":\s*"([0-9a-f]+)"/.exec(stdout)?.[1]
	if (id === undefined) throw new Error(`no connection in ${stdout}`)
	mkdirSync(join(profile, 'events'), {recursive: true})
	const path = join(profile, 'events', `${id}.db`)
	fillEvents(path, {count: events, days: 30, end: Date.now()})
	const answers = measureWindows(path, 7)
	const name = `store of ${events} events: rows of a filter, ${answers.length} filters`
	return [{name, unit: 'ms', values: answers.map(({ms}) => median(ms)), target: '5 or less'}]
}

type Backstage = Pick<Stage, 'host' | 'sandbox' | 'profile' | 'storeAnswers'>

async function inBrowser<T>(backstage: Backstage, act: (stage: Stage) => Promise<T>) {
	const browser = await launchChromium()
	try {
		const context = await browser.newContext({viewport: {width: 1280, height: 800}, reducedMotion: 'reduce'})
		const page = await context.newPage()
		await installProbe(page)
		await page.goto(backstage.host.ready['url'] ?? '')
		await loaded(page)
		const visit = async (path: string) => {
			await page.evaluate(to => void (location.hash = to), path)
		}
		return await act({...backstage, browser, page, visit})
	} finally {
		await browser.close()
	}
}

async function loaded(page: Page) {
	await page.evaluate(() => void (location.hash = '/computers'))
	await page
		.getByRole('main')
		.getByText(new RegExp(`^${computers.toLocaleString('en')} computers`))
		.first()
		.waitFor({timeout: 600_000})
}
