/** A plan as a file, written and read. What is read may come from anywhere. */
import {invalidArgument} from '#contract/errors.ts'
import type {Connection} from '#model/connection.ts'
import type {JobPlan} from '#model/job.ts'
import {checkPlan, type PlanProblem} from '#model/job-plan.ts'

import {sameService} from '#core/service/connections/found.ts'
import {digestOf} from './canonical.ts'

/** 100,000 targets take about 60 MB. */
const largestFile = 80_000_000

/** A line for each target: a person reads it, a difference of two of them is short, and 10,000 targets stay below 4 MB. */
export function planText({undoes: _ofThisProfile, ...plan}: JobPlan) {
	const head = JSON.stringify({...plan, targets: []}, null, 2)
	const lines = plan.targets.map(target => `    ${JSON.stringify(target)}`)
	// Of the two-space level there is one alone.
	return `${head.replace('\n  "targets": []', () => `\n  "targets": [\n${lines.join(',\n')}\n  ]`)}\n`
}

/** Throws `invalid_argument` with the field at fault. */
export function readPlan(text: string, connection: Connection) {
	const plan = parsePlan(text)
	if (!sameService(plan.connection.url, connection.url))
		throw problem({field: 'connection.url', problem: `is ${plan.connection.url}; the connection ${connection.name} leads to ${connection.url}`})
	return plan
}

/** A plan of any connection. */
export function parsePlan(text: string) {
	if (text.length > largestFile) throw problem({field: '', problem: 'is larger than any plan'})
	const checked = checkPlan(parsed(text))
	if ('problems' in checked) throw problem(checked.problems[0] ?? {field: '', problem: 'is not a plan'})
	const {plan} = checked
	if (digestOf(plan) !== plan.digest) throw problem({field: 'digest', problem: 'does not belong to this plan: it was changed after it was made'})
	return plan
}

function parsed(text: string) {
	try {
		return JSON.parse(text.replace(/^\u{feff}/u, ''))
	} catch {
		throw problem({field: '', problem: 'is not JSON'})
	}
}

function problem({field, problem: what}: PlanProblem) {
	const where = field === '' ? 'The plan' : `In the plan, ${field}`
	return invalidArgument(`${where} ${what}. Nothing was sent.`, field === '' ? 'plan' : field)
}
