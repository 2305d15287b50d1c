/** Approvals are given at a terminal only. */
import {editedChange} from '#core/actions/commands/approving.ts'
import {approvalFile, readApprovalFile} from '#core/approvals/file.ts'
import type {Approvals} from '#core/approvals/approvals.ts'
import {checkAnswer, countsFor} from '#core/approvals/counting.ts'
import {readSignedAnswer} from '#core/approvals/signature.ts'
import {approvalOfPlan} from '#core/work/jobs/approve.ts'
import {parsePlan} from '#core/work/jobs/plan-file.ts'
import type {Jobs} from '#core/work/jobs/jobs.ts'
import {CordonError, exitCodeOf, usageError, invalidArgument} from '#contract/errors.ts'
import {type Approval, type ApprovalSubject, type KeyUse, mostEnded, type TrustedKey} from '#model/approval.ts'
import {confirmOption, shellValue} from '#model/typed.ts'
import {showUnseen} from '#text/foreign.ts'

import {valuesOf} from './argv.ts'
import {namedConnection} from './choose-connection.ts'
import {usage} from './faults.ts'
import {unwritable} from './files.ts'
import {withJobs, type JobDependencies} from './job-session.ts'
import {readText} from './job-targets.ts'
import {exitOf, printJob, watch} from './job.ts'
import {askPassphrase, askSecret, refuseWithoutTerminal} from './key.ts'
import {printObject, printTable} from './result.ts'
import {inSession, type SubCall, type SubRun} from './session.ts'
import {seconds} from './terminal-table.ts'

interface Run extends SubRun {
	approvals: Approvals
}

export async function runApprovals(call: SubCall) {
	const action = actions[call.sub.spec.name] ?? list
	return await inSession(call, 'service', run => action({...run, approvals: run.session.profile.approvals}))
}

const actions: Readonly<Record<string, (run: Run) => number | Promise<number>>> = {
	approvals: list,
	'approvals show': async run => show(run, await whole(run)),
	'approvals approve': run => answer(run, 'approved'),
	'approvals deny': run => answer(run, 'denied'),
	'approvals edit': edit,
	'approvals withdraw': run =>
		withJobs(run.session, run.output, async (jobs, deps) =>
			told(run, jobs, deps, await run.approvals.withdraw(wordOf(run), reasonOf(run) ?? 'Withdrawn.', 'cli'))
		),
	'approvals export': run => {
		run.output.file(approvalFile(run.approvals, wordOf(run)).text)
		return 0
	},
	'approvals accept': accept,
	'plan sign': sign,
	'plan verify': verify,
	'keys list': listKeys,
	'keys create': createKey,
	'keys add': addKey,
	'keys export': run => {
		run.output.print(run.approvals.keys.find(wordOf(run)).publicKey.trimEnd())
		return 0
	},
	'keys revoke': revokeKey
}

const wordOf = ({sub}: Run, index = 0) => sub.words[index] ?? ''
const reasonOf = ({option}: Run) => option('reason') ?? null

function list(run: Run) {
	const {approvals, sub, session} = run
	const named = namedConnection(session.profile.connections, sub.globals)
	const all = approvals.list(sub.options.has('all') ? undefined : ['pending', 'approved'])
	const found = named === undefined ? all : all.filter(({connection}) => connection.id === named)
	const rows = found.map(({id, requestedAt, title, state, requester, answers, needed}) => {
		const given = new Set(answers.filter(({verdict}) => verdict === 'approved').map(({by}) => by)).size
		return [id, seconds(requestedAt), title, `${state.replace('_', ' ')} ${given}/${needed}`, requester]
	})
	const none = found.length === 0 ? 'Nothing waits for approval.' : ''
	const ended = all.filter(({state}) => state !== 'pending' && state !== 'approved').length
	if (ended === mostEnded) run.output.say(`Of those that ended, the newest ${mostEnded} are listed.`)
	return printTable(run, ['Id', 'Requested', 'What', 'State', 'By'], rows, found, none)
}

/** What somebody approves or signs. A text of others stays within its line: it cannot pass for another part. */
function askedText({connection, requester, requestedAt, expiresAt, digest}: ApprovalSubject, details: readonly string[], reason: string | null) {
	return [
		`Connection: ${connection.name} (${connection.url})`,
		`Requested by ${requester} at ${requestedAt}, until ${expiresAt}.`,
		...(reason === null ? [] : [`Reason: ${reason}`]),
		...details.map(line => `  ${line}`),
		`Digest: ${digest}`
	]
		.map(showUnseen)
		.join('\n')
}

function show(run: Run, approval: Approval, code = 0) {
	const {id, title, state, reason, details, answers, outcome, needed, groups, requesterMay} = approval
	const who = groups.length === 0 ? 'any trusted key' : `keys of ${groups.join(', ')}`
	const lines = [
		showUnseen(`${title}: ${state.replace('_', ' ')}. Approval ${id}.`),
		askedText(approval, details, reason),
		`Needs ${needed} of ${who}${requesterMay ? '; the requester may answer' : ''}.`,
		...answers.map(({verdict, by, key, at}) => `${verdict} by ${by}${key === null ? '' : ` (${key.slice(0, 16)})`} at ${at}`),
		...(outcome === null ? [] : [outcome])
	]
	return printObject(run, {id}, approval, lines.join('\n'), {code})
}

/** With every target of its plan, unless that is a job already. */
async function whole(run: Run) {
	const approval = run.approvals.get(wordOf(run))
	if (approval.kind !== 'plan' || approval.state !== 'pending') return approval
	const plan = await withJobs(run.session, run.output, jobs => jobs.planFile(approval.id).then(parsePlan, () => null))
	return plan?.digest === approval.digest ? {...approval, details: approvalOfPlan(plan, Infinity).details} : approval
}

async function keyOf({approvals, option, host}: Run) {
	const name = option('as')
	if (name === undefined) return undefined
	return {name, passphrase: await askPassphrase(host, approvals.keys, name)}
}

async function answer(run: Run, verdict: 'approved' | 'denied') {
	const {approvals, host, output, session} = run
	refuseWithoutTerminal(host)
	const {id} = approvals.open(wordOf(run))
	const asked = await whole(run)
	output.say(`${showUnseen(asked.title)}\n${askedText(asked, asked.details, asked.reason)}`)
	const key = await keyOf(run)
	if (key === undefined && verdict === 'approved' && asked.requesterMay) {
		const typed = await askSecret(host, 'Type yes to approve: ', 'as')
		if (typed.toLowerCase() !== 'yes') throw new CordonError('cancelled', 'Nothing was approved.')
	}
	return await withJobs(session, output, async (jobs, deps) => {
		const given = await approvals.answer({id, digest: asked.digest, verdict, reason: reasonOf(run), key, surface: 'cli'})
		return await told(run, jobs, deps, given)
	})
}

/** Without a console, approved work continues here. */
async function told(run: Run, jobs: Jobs, deps: JobDependencies, given: Approval) {
	const {session, approvals, host, output} = run
	const isHere = session.console === undefined
	if (isHere && given.run !== null && given.state !== 'pending') {
		const playbooks = await deps.playbooks()
		if ((await playbooks.head(given.run.id)).state === 'interrupted') await playbooks.resume(given.run.id)
		const {title, state} = await playbooks.settled(given.run.id, host.cut)
		output.say(`${title}: ${state}. Run ${given.run.id}.`)
	}
	const isJob = isHere && given.kind === 'plan' && given.state === 'used'
	const job = isJob ? await watch({...run, jobs}, (await jobs.get(given.id)).summary) : undefined
	const isLeft = isHere && given.run === null && given.state === 'approved'
	if (isLeft) output.say('Not carried out yet: the target is busy. The next console carries it out, unless you withdraw it.')
	const code = isLeft ? exitCodeOf('busy') : job === undefined ? Number(given.state === 'failed') : exitOf(host, [job])
	show(run, approvals.get(given.id), code)
	return job !== undefined && output.mode === 'text' ? await printJob({...run, jobs}, job) : code
}

function edit(run: Run) {
	const {approvals, sub} = run
	const change = Object.fromEntries(
		valuesOf(sub, 'arg').map(text => {
			const [name = '', ...value] = text.split('=')
			if (value.length === 0) throw usage(`--arg ${name} has no value`, 'write --arg name=value', 'arg')
			return [name, value.join('=')]
		})
	)
	const edited = editedChange(approvals.contentOf(wordOf(run)), change)
	return show(run, approvals.replace(wordOf(run), edited, 'cli'))
}

async function accept(run: Run) {
	const {approvals, host, output, session} = run
	const text = await readText(host, wordOf(run), 'file')
	return await withJobs(session, output, async (jobs, deps) => {
		const given = await approvals.accept(text, 'cli')
		if (given !== null) return await told(run, jobs, deps, given)
		return printObject(run, {}, null, 'Signature kept. Its approval is not requested yet.')
	})
}

interface Signable {
	subject: ApprovalSubject
	details: readonly string[]
}

async function readSignable({host}: Run, file: string): Promise<Signable> {
	const text = await readText(host, file, 'file')
	let value: unknown
	try {
		value = JSON.parse(text)
	} catch {
		throw invalidArgument(`${file} is not JSON.`, 'file')
	}
	const request = readApprovalFile(value)
	if (request !== undefined) return {subject: request.subject, details: JSON.stringify(request.content, null, 2).split('\n')}
	return approvalOfPlan(parsePlan(text), Infinity)
}

/** Shows the signed content first: the operator types the passphrase for exactly that. */
async function sign(run: Run) {
	const {approvals, host, output, sub, option} = run
	refuseWithoutTerminal(host)
	const {subject, details} = await readSignable(run, wordOf(run))
	if (option('as') === undefined) throw usage('plan sign needs --as NAME', 'see "cordon keys list"', 'as')
	output.say(`${showUnseen(subject.title)}\n${askedText(subject, details, null)}`)
	const key = await keyOf(run)
	const verdict = sub.options.has('deny') ? 'denied' : 'approved'
	const signed = await approvals.sign(subject, {verdict, reason: reasonOf(run), key})
	const text = JSON.stringify(signed, null, 2)
	const out = option('out')
	if (out !== undefined) {
		await host.files.write(out, `${text}\n`).catch(unwritable(out, 'out'))
		return printObject(run, {file: wordOf(run)}, {file: out}, `The signature is in ${out}.`)
	}
	output.file(text)
	return 0
}

async function verify(run: Run) {
	const {approvals, host, session} = run
	const {subject} = await readSignable(run, wordOf(run))
	const signed = readSignedAnswer(await readText(host, wordOf(run, 1), 'signature'))
	const key = checkAnswer({keys: approvals.keys, now: session.ports.clock.now(), profile: subject.profile}, signed)
	countsFor({...subject, groups: [], requesterMay: false, answers: []}, signed, key)
	const data = {verdict: signed.verdict, by: key.name, key: key.id, groups: key.groups, signedAt: signed.signedAt}
	const message = `${signed.verdict} by ${key.name} (${key.id.slice(0, 16)}) at ${signed.signedAt}: the signature fits.`
	return printObject(run, {file: wordOf(run)}, data, message)
}

function stateOf({revokedAt, own, addedAt, origin}: TrustedKey, trusted: boolean) {
	if (revokedAt !== null) return `revoked ${revokedAt.slice(0, 10)}`
	const since = origin === 'managed' ? 'administrator' : (addedAt ?? '').slice(0, 10)
	return `${trusted ? 'trusted' : 'not trusted'}${own ? ', own' : ''}, ${since}`
}

function listKeys(run: Run) {
	const {keys} = run.approvals
	const all = keys.list()
	const trusted = new Set([...keys.trusted('approve'), ...keys.trusted('publish')].map(one => `${one.id} ${one.use}`))
	const rows = all.map(one => [one.id.slice(0, 16), one.name, one.use, one.groups.join(', '), stateOf(one, trusted.has(`${one.id} ${one.use}`))])
	return printTable(run, ['Id', 'Name', 'For', 'Groups', 'State'], rows, all, 'There is no key.')
}

async function createKey(run: Run) {
	const {approvals, host} = run
	refuseWithoutTerminal(run.host)
	const name = wordOf(run)
	const passphrase = await askSecret(host, 'Passphrase of the new key, 12 characters or more (it is not shown): ', 'name')
	if ((await askSecret(host, 'Once more: ', 'name')) !== passphrase) throw usageError('The passphrases differ. No key was made.', 'name')
	const key = await approvals.keys.create({name, passphrase, surface: 'cli'})
	const how = `Where it shall count: cordon keys add ${shellValue(name)} FILE ${confirmOption(name)}`
	return printObject(run, {name}, key, `${key.publicKey}Key ${key.id}. ${how}`)
}

async function addKey(run: Run) {
	const {approvals, host, sub, option} = run
	const publicKey = await readText(host, wordOf(run, 1), 'file')
	const groups = valuesOf(sub, 'group')
	const use: KeyUse = option('use') === 'publish' ? 'publish' : 'approve'
	const request = {name: wordOf(run), use, publicKey, groups, confirm: option('confirm'), surface: 'cli'} as const
	const key = approvals.keys.add(request)
	return printObject(run, {name: key.name}, key, `${key.name} is trusted. Key ${key.id}.`)
}

function revokeKey(run: Run) {
	const key = wordOf(run)
	run.approvals.keys.revoke({key, reason: reasonOf(run) ?? 'None given.', surface: 'cli'})
	return printObject(run, {key}, null, `${key} is trusted no longer.`)
}
