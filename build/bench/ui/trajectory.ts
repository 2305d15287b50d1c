/** A computer with as many events as one call returns: the time to draw its trajectory, and the cost of moving it. */
import {z} from 'zod'

import type {Figure} from '../measure.ts'
import type {Running} from '../processes.ts'
import {panning} from './moving.ts'
import {untilThere} from './probe.ts'
import type {Stage} from './stage.ts'

const wanted = 5000
const runs = 7

export async function trajectory(stage: Stage): Promise<readonly Figure[]> {
	const {page, visit, sandbox} = stage
	const guid = await busiestServer(sandbox)
	const lanes = page.getByRole('application', {name: 'Trajectory of'})
	await visit(`/computers/${guid}?tab=trajectory`)
	await page.getByRole('button', {name: 'Load the trajectory · 1 call'}).click()
	await lanes.waitFor()
	const drawn: number[] = []
	for (let run = 0; run < runs; run += 1) {
		await visit(`/computers/${guid}`)
		// Drops the page's own memory, so that the host returns its stored events.
		await page.reload()
		const tab = page.getByRole('tab', {name: 'Trajectory'})
		await tab.waitFor()
		drawn.push(await untilThere(page, '[role=application]', () => tab.click()))
	}
	const name = `trajectory of ${wanted.toLocaleString('en')} events: click to drawn`
	return [{name, unit: 'ms', values: drawn, target: 'under 300'}, ...(await panning(stage, lanes))]
}

const computerPage = z.object({data: z.array(z.object({connector_guid: z.string()}))})
const trajectoryAnswer = z.object({data: z.object({events: z.array(z.unknown())})})

/** Some of the servers are busy enough. */
async function busiestServer(sandbox: Running) {
	const servers = computerPage.parse(await ask(sandbox, '/v1/computers?limit=500&hostname[]=-SRV-'))
	for (const {connector_guid: guid} of servers.data) {
		const {data} = trajectoryAnswer.parse(await ask(sandbox, `/v1/computers/${guid}/trajectory?limit=${wanted}`))
		if (data.events.length === wanted) return guid
	}
	throw new Error(`no server of the sandbox has ${wanted} events`)
}

async function ask({ready}: Running, path: string): Promise<unknown> {
	const credential = Buffer.from(`${ready['client_id'] ?? ''}:${ready['api_key'] ?? ''}`).toString('base64')
	const answer = await fetch(`${ready['url'] ?? ''}${path}`, {headers: {authorization: `Basic ${credential}`}})
	if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}`)
	return answer.json()
}
