import {allRows} from '#base/all-rows.ts'
import type {Jobs} from '#core/work/jobs/jobs.ts'
import {exitCodeOf, reportError} from '#contract/errors.ts'
import type {Connection} from '#model/connection.ts'
import {jobActionSchema, policyJobProducts} from '#model/job-plan.ts'
import type {JobAction, JobPlan, JobReceipt, JobSummary, TargetOutcome} from '#model/job.ts'
import {leaseHoursOf} from '#model/lease.ts'
import type {Sub} from './argv.ts'
import {namedConnection, storedConnection} from './choose-connection.ts'
import {shown, usage} from './faults.ts'
import {unwritable} from './files.ts'
import {attended, type CliHost} from './host.ts'
import {refuseBeforeReading, withJobs} from './job-session.ts'
import {readTargets, readText} from './job-targets.ts'
import {jobCells, jobColumns, planText, progressText, receiptsText, skippedText, summaryText} from './job-text.ts'
import {printObject, printTable} from './result.ts'
import {incidentIn} from './globals.ts'
import {inSession, type SubCall, type SubRun} from './session.ts'

interface Run extends SubRun {
	jobs: Jobs
	list?: string
}

const unsettled: readonly TargetOutcome[] = ['failed', 'unknown', 'not_tried', 'not_confirmed']

export async function runJob(call: SubCall) {
	return await inSession(call, 'service', run => withJobs(run.session, call.output, jobs => dispatch({...run, jobs})))
}

async function dispatch(run: Run) {
	const {sub, jobs} = run
	const [job = ''] = sub.words
	switch (sub.spec.name) {
		case 'job list':
			return await list(run)
		case 'job show':
			return await show(run, job)
		case 'job stop':
			return await printJob(run, await jobs.stop(job), 0)
		case 'job resume':
			return await follow(run, await jobs.resume(job))
		case 'job retry':
			refuseBeforeReading(sub, run.session, (await jobs.get(job)).summary.connection)
			return await carryOut(run, await jobs.retryPlan(job, run.host.signal))
		case 'job export':
			return await exportJob(run, job)
		default:
			return await change(run)
	}
}

async function change(run: Run) {
	const {option, sub, jobs, session, host} = run
	const connection = storedConnection(session.profile.connections, sub.globals.connection)
	const file = option('apply')
	if (file !== undefined) return await carryOut(run, await readPlan(run, connection, file))
	const targets = option('targets')
	if (targets === undefined) throw usage(`${sub.spec.name} needs --targets FILE`, 'a job runs on a list, never on a filter', 'targets')
	const action = jobActionOf(run, session.profile.guards.rules(connection.id).leaseHours)
	refuseBeforeReading(sub, session, connection.id)
	const plan = await jobs.plan({
		connection: connection.id,
		action,
		targets: await readTargets(host, targets),
		stopShare: stopShareOf(option('stop-share')),
		reviewed: sub.options.has('reviewed'),
		signal: host.signal
	})
	return await carryOut(run, plan)
}

/** Throws `usage` for what the plan brings itself. */
export function refuseBesidePlan({options}: Sub) {
	for (const name of options.keys())
		if (name !== 'apply' && name !== 'confirm') throw usage(`--apply and --${name} cannot be given together`, 'a plan brings all that', name)
}

async function readPlan({sub, jobs, host}: Run, connection: Connection, file: string) {
	refuseBesidePlan(sub)
	const plan = await jobs.importPlan(connection.id, await readText(host, file, 'apply'))
	if (`job ${plan.action.kind}` === sub.spec.name) return plan
	throw usage(`This is a plan to ${plan.action.kind.replaceAll('_', ' ')}`, `write cordon job ${plan.action.kind}`, 'apply')
}

export async function carryOut(run: Run, plan: JobPlan) {
	const {sub, option, output, jobs} = run
	const file = option('plan')
	if (file !== undefined) return await writePlan(run, plan, file)
	if (sub.options.has('dry-run')) return printPlan(run, plan, 'Nothing was sent.')
	const undone = plan.leftOut.filter(({kind}) => kind !== 'nothing_to_do' && kind !== 'duplicate')
	if (plan.targets.length === 0 && undone.length === 0) return printPlan(run, plan, 'There is nothing to do.')
	if (output.mode !== 'json' && plan.leftOut.length > 0) output.say(skippedText(plan, output.width))
	const incident = await incidentIn(sub.globals, run.session.profile)
	const summary = await jobs.apply({plan: plan.id, confirm: option('confirm'), surface: 'cli', incident, signal: run.host.signal})
	return await follow(run, summary)
}

async function writePlan(run: Run, plan: JobPlan, file: string) {
	// The plan shows who is isolated and why: only its owner may read it.
	await run.host.files.write(file, await run.jobs.planFile(plan.id), {mode: 0o600}).catch(unwritable(file, 'plan'))
	return printPlan(run, plan, `The plan is in ${file}. Nothing was sent.`)
}

function printPlan(run: Run, plan: JobPlan, message: string) {
	const {output} = run
	if (output.mode === 'text') output.print(planText(plan, output.width))
	if (output.mode === 'jsonl') for (const target of plan.targets) output.json(target)
	else printObject(run, argsOf(run), plan, message)
	return 0
}

async function follow(run: Run, started: JobSummary) {
	return await printJob(run, await watch(run, started))
}

/** Resolves with the job at its end. The first interrupt stops sending, the second cuts off requests under way. */
export async function watch(run: Pick<Run, 'jobs' | 'host' | 'output'>, {id}: JobSummary): Promise<JobSummary> {
	const {jobs, host, output} = run
	const stop = () => {
		jobs.stop(id).catch((error: unknown) => output.say(reportError(error).message))
		output.say('Stopped sending. What was sent is watched to its end; Ctrl-C again leaves at once.')
	}
	const unlisten = jobs.onChange((_connection, job) => {
		if (job === id) void showProgress(run, id)
	})
	try {
		return await attended(
			host,
			stop,
			() => jobs.settled(id),
			() => void jobs.close()
		)
	} finally {
		unlisten()
	}
}

async function showProgress({jobs, output}: Pick<Run, 'jobs' | 'output'>, id: string) {
	try {
		output.status(progressText((await jobs.get(id)).summary))
	} catch {
		// The result says what went wrong.
	}
}

/** `open`: the exit code, whatever came of the job. */
export async function printJob(run: Run, job: JobSummary, open?: number) {
	const {output, host} = run
	const code = open ?? exitOf(host, [job])
	const message = summaryText(job)
	const receipts = await receiptsOf(run, job.id, output.mode === 'text' ? unsettled : undefined)
	printReceipts(run, receipts, message)
	if (output.mode === 'jsonl') output.say(message)
	if (output.mode === 'json') {
		const {leftOut} = await run.jobs.agreed(job.id)
		printObject(run, argsOf(run), {job, leftOut, receipts}, message, {code})
	}
	return code
}

function printReceipts({output}: Run, receipts: readonly JobReceipt[], text: string) {
	if (output.mode === 'jsonl') for (const receipt of receipts) output.json(receipt)
	if (output.mode !== 'text') return
	if (receipts.length > 0) output.print(`${receiptsText(receipts, output.width)}\n`)
	output.print(text)
}

/** 9 when an outcome is unknown, 1 or that of Ctrl+C when targets are left, 0 when all is as wanted. */
export function exitOf({signal}: CliHost, jobs: readonly JobSummary[]) {
	if (jobs.some(({counts, endedAt}) => endedAt !== null && counts.unknown > 0)) return exitCodeOf('outcome_unknown')
	const isLeft = ({counts, endedAt}: JobSummary) => endedAt === null || counts.failed + counts.not_tried + counts.not_confirmed > 0
	if (!jobs.some(isLeft)) return 0
	return signal.aborted ? exitCodeOf('cancelled') : 1
}

function argsOf({list, sub}: Run) {
	return list === undefined ? {job: sub.words[0]} : {list}
}

async function receiptsOf({jobs}: Run, job: string, outcomes?: readonly TargetOutcome[]) {
	return await allRows(window => jobs.receipts({job, outcomes, ...window}))
}

async function list(run: Run) {
	const {jobs, sub, session} = run
	const connection = namedConnection(session.profile.connections, sub.globals)
	const found = await allRows(window => jobs.list({connection, ...window}))
	return printTable(run, jobColumns, found.map(jobCells), found, found.length === 0 ? 'There is no job.' : `${found.length} jobs.`)
}

async function show(run: Run, id: string) {
	const {jobs, output, sub} = run
	const {summary} = await jobs.get(id)
	const plan = await jobs.agreed(id)
	const receipts = await receiptsOf(run, id, sub.options.has('failed') ? unsettled : undefined)
	const {reason, ticket} = plan.action
	const why = `Reason: ${reason}${(ticket ?? '') === '' ? '' : `\nTicket: ${ticket}`}`
	printReceipts(run, receipts, `${summaryText(summary)}\n${why}`)
	if (output.mode === 'json') printObject(run, {job: id}, {job: summary, plan, receipts}, summaryText(summary))
	return 0
}

async function exportJob(run: Run, id: string) {
	const {jobs, output, option} = run
	const format = option('format') ?? output.mode
	if (format === 'jsonl') for (const receipt of await receiptsOf(run, id)) output.json(receipt)
	else
		for (const text of await jobs.export(id, format === 'json' ? 'json' : 'csv')) {
			await output.room()
			output.raw(text)
		}
	return 0
}

/** `usualHours`: the guard rules' proposed length of an isolation, used when no option says one. */
function jobActionOf({sub, option}: Run, usualHours: number | null) {
	const kind = sub.spec.name.replace('job ', '')
	const policies = policyJobProducts.flatMap(product => {
		const guid = option(product)
		return guid === undefined ? [] : [[product, guid] as const]
	})
	const given = {
		kind,
		...(kind === 'isolate' && {
			code: option('code') ?? 'generated',
			lease: leaseOf(option('lease'), sub.options.has('auto-release'), usualHours)
		}),
		...(kind === 'move' && {group: option('group') ?? ''}),
		...(kind === 'policies' && {policies: Object.fromEntries(policies)})
	}
	return checkedAction({sub, option}, given)
}

/** With the reason and the ticket. Throws `usage` with the option at fault. */
export function checkedAction({sub, option}: Pick<SubCall, 'sub' | 'option'>, given: object) {
	const ticket = option('ticket')
	const parsed = jobActionSchema.safeParse({...given, reason: option('reason') ?? '', ...(ticket !== undefined && {ticket})})
	// The cast: the schema has exactly the fields of the action.
	if (parsed.success) return parsed.data as JobAction
	const [issue] = parsed.error.issues
	const field = String(issue?.path.at(-1) ?? 'reason')
	if (field === 'policies') throw usage('job policies names no policy', `give --${policyJobProducts.join(', --')}`, field)
	throw usage(`--${field} ${issue?.message ?? 'is missing'}`, `see "cordon help ${sub.spec.name}"`, field)
}

function leaseOf(given: string | undefined, auto: boolean, usualHours: number | null) {
	const hours = given === undefined ? usualHours : hoursOf(given)
	if (auto && hours === null) throw usage('--auto-release needs a lease that ends', 'give --lease HOURS', 'auto-release')
	return {hours, auto}
}

function hoursOf(text: string) {
	const hours = leaseHoursOf(text)
	if (hours !== undefined) return hours
	throw usage(`--lease cannot be ${shown(text)}`, 'give hours or days, such as 24h or 7d, or none', 'lease')
}

function stopShareOf(text: string | undefined) {
	if (text === undefined) return undefined
	// `Number` also reads 0x10 and 1e1.
	const percent = Number(/^\s*([\d.]+)%?\s*$/.exec(text)?.[1])
	if (percent <= 100) return percent / 100
	throw usage(`--stop-share cannot be ${shown(text)}`, 'give a percentage from 0 to 100', 'stop-share')
}
