/** `cordon playbook …`: the same playbooks and runs as in the console. */
import {randomUUID} from 'node:crypto'

import type {Playbooks, StartPlaybook} from '#core/playbooks/playbooks.ts'
import {originFor, playbookSecrets} from '#core/playbooks/secrets.ts'
import {signatureOf, signed} from '#core/playbooks/signature.ts'
import {checkPlaybook, readPlaybook} from '#core/playbooks/validate.ts'
import {errorTable, exitCodeOf, type ErrorCode} from '#contract/errors.ts'
import {differencesOf} from '#model/playbook-diff.ts'
import {openSteps} from '#text/changes.ts'
import {counted} from '#text/numbers.ts'
import {signatureWords, stepStateWords} from '#text/states.ts'
import type {PlaybookRun, PlaybookRunDetail} from '#model/playbook.ts'

import {numberOption} from './argv.ts'
import {runAutomation, variablesOf} from './playbook-automation.ts'
import {namedConnection, storedConnection} from './choose-connection.ts'
import {usage} from './faults.ts'
import {attended} from './host.ts'
import {withJobs} from './job-session.ts'
import {readText} from './job-targets.ts'
import {askPassphrase, askSecret, readSecretFile, refuseWithoutTerminal} from './key.ts'
import {printObject, printRows, printTable} from './result.ts'
import {inSession, type SubCall, type SubRun} from './session.ts'
import {incidentIn} from './globals.ts'
import {cut, seconds} from './terminal-table.ts'

interface Run extends SubRun {
	playbooks: Playbooks
}

export async function runPlaybook(call: SubCall) {
	const {sub, option, output} = call
	const {name} = sub.spec
	if (option('wait') !== undefined) throw usage('--wait takes no number here', 'write --wait', 'wait')
	if (name === 'playbook check') return await check(call)
	if (name === 'playbook secret') return await inSession(call, 'service', secret)
	return await inSession(call, 'service', run =>
		withJobs(run.session, output, async (_jobs, deps) =>
			name === 'playbook schedule' || name === 'playbook rule'
				? await runAutomation({...run, automations: await deps.automations()})
				: await dispatch({...run, playbooks: await deps.playbooks()})
		)
	)
}

async function secret(run: SubRun) {
	const {sub, host, option, session} = run
	const {ports, profile} = session
	const [origin = '', file] = ['origin', 'value'].map(option)
	const secrets = playbookSecrets(ports, profile.log)
	const [action, name = ''] = sub.words
	if (action === 'set') {
		originFor({name, origin}) // before the value is typed
		const ask = () => askSecret(host, `Secret ${name} for ${origin} (it is not shown): `, 'value')
		const value = file === undefined ? await ask() : await readSecretFile(host, file, 'value')
		await secrets.set({name, origin, value}, 'cli')
	} else if (action === 'remove') await secrets.remove(name, 'cli')
	const all = await secrets.list()
	const rows = all.map(one => [one.name, one.origin])
	return printTable(run, ['Name', 'Origin'], rows, all, 'No secrets.')
}

async function check(call: SubCall) {
	const {sub, host, output} = call
	const [file = ''] = sub.words
	const document = readPlaybook(await readText(host, file, 'file'))
	const verdict = await checkPlaybook(document)
	const {valid, runnable, portable, issues} = verdict
	const isBroken = signatureOf(document, [], 0).state === 'broken'
	const rows = issues.map(one => [one.level, one.name ?? 'playbook', one.field, `${one.message} ${one.fix}`])
	printRows(call, ['Level', 'Step', 'Field', 'What to do'], rows)
	const said = [valid ? 'CACAO-valid' : 'Not valid', runnable ? 'runs here' : 'does not run here']
	const message = `${[...said, ...(portable ? ['SOARCA-portable'] : []), ...(isBroken ? ['a signature does not fit'] : [])].join(', ')}.`
	return printObject(call, {file}, output.mode === 'jsonl' ? issues : verdict, message, {code: Number(!runnable)})
}

async function dispatch(run: Run) {
	const {sub, playbooks, option, output} = run
	const [id = '', second = ''] = sub.words
	switch (sub.spec.name) {
		case 'playbook list':
			return list(run)
		case 'playbook import':
			return await add(run, id)
		case 'playbook export':
			output.file(playbooks.file(id, option('digest')).text)
			return 0
		case 'playbook copy': {
			const {id: copy, name} = await playbooks.copy(id, second, option('digest'))
			return printObject(run, {playbook: id}, {id: copy, name}, `${name} added. ${copy}.`)
		}
		case 'playbook tag': {
			const tags = second.split(/\s*,\s*/).filter(Boolean)
			playbooks.tag(id, tags)
			return printObject(run, {playbook: id}, {tags}, `Tags of ${id}: ${tags.join(', ') || 'none'}.`)
		}
		case 'playbook versions':
			return await versions(run, id)
		case 'playbook diff':
			return await diff(run)
		case 'playbook sign':
			return await signOne(run, id)
		case 'playbook run':
			return await start(run, id)
		case 'playbook runs':
			return await runs(run)
		case 'playbook show':
			if (sub.options.has('export')) {
				output.file((await playbooks.exportRun(id)).text)
				return 0
			}
			return print(run, await playbooks.run(id))
		case 'playbook answer':
			await playbooks.answer(id, option('step'), second, option('reason') ?? null)
			return await goOn(run, id)
		case 'playbook pause':
			await playbooks.pause(id)
			return print(run, await playbooks.run(id))
		case 'playbook cancel':
			await playbooks.cancel(id)
			return print(run, await playbooks.settled(id))
		case 'playbook resume':
			await playbooks.resume(id)
			return await follow(run, id)
		case 'playbook retry':
			await playbooks.retry(id, option('step'))
			return await follow(run, id)
		case 'playbook skip':
			await playbooks.skip(id, second, option('reason') ?? '')
			return await follow(run, id)
		default:
			return await follow(run, (await playbooks.again(id, sub.options.has('newest'))).id)
	}
}

function list(run: Run) {
	const all = run.playbooks.list()
	const rows = all.map(({name, origin, signature, inputs, description}) => [
		name,
		origin === 'library' ? origin : signatureWords(signature),
		inputs.map(one => one.name.replaceAll('__', '')).join(', '),
		description
	])
	return printTable(run, ['Name', 'Origin', 'Variables', 'Description'], rows, all, `${all.length} playbooks.`)
}

async function add(run: Run, file: string) {
	const detail = await run.playbooks.add(await readText(run.host, file, 'file'))
	const message = `${detail.name} added. ${detail.id}, version ${detail.digest.slice(0, 12)}.`
	return printObject(run, {file}, detail, message)
}

async function versions(run: Run, playbook: string) {
	const {versions: all} = await run.playbooks.show(playbook)
	const rows = all.map(one => [one.digest.slice(0, 12), seconds(one.addedAt), one.addedBy, one.name])
	return printTable(run, ['Version', 'Added', 'By', 'Name'], rows, all, `${all.length} versions.`, {playbook})
}

/** Default: the newest and the one before. */
async function diff(run: Run) {
	const {sub, playbooks} = run
	const [playbook = '', ...asked] = sub.words
	const {versions: all, digest} = await playbooks.show(playbook)
	const whole = (start: string) => all.find(one => one.digest.startsWith(start))?.digest ?? start
	const [older = all[1]?.digest ?? digest, newer = digest] = asked.map(whole)
	const [before, after] = [playbooks.find(playbook, older), playbooks.find(playbook, newer)]
	const found = differencesOf(before.document, after.document)
	const rows = found.map(one => [one.step ?? 'playbook', one.field, one.before ?? '', one.after ?? ''])
	const args = {playbook, older, newer}
	return printTable(run, ['Step', 'Field', 'Before', 'After'], rows, found, `${found.length} differences.`, args)
}

/** Adds the document with a signature as its newest version. */
async function signOne(run: Run, id: string) {
	const {host, output, session, playbooks, option} = run
	const as = option('as')
	if (as === undefined) throw usage('playbook sign needs --as NAME', 'see "cordon keys list"', 'as')
	refuseWithoutTerminal(host)
	const {keys} = session.profile.approvals
	const {document, digest} = playbooks.find(id)
	output.say(`${document.name}, version ${digest.slice(0, 12)} of ${document.modified}.`)
	const key = await keys.unlock(as, await askPassphrase(host, keys, as))
	const at = new Date(session.ports.clock.now()).toISOString()
	const made = await playbooks.add(JSON.stringify(signed(document, {...key, signature: randomUUID(), at})))
	const message = `Playbook signed with the key ${key.id.slice(0, 16)} of ${key.name}: ${document.name}, version ${made.digest.slice(0, 12)}.`
	await session.profile.log.append({kind: 'note', surface: 'cli', message, data: {playbook: made.id, key: key.id}})
	return printObject(run, {playbook: id}, made, message)
}

async function start(run: Run, playbook: string) {
	const {sub, session, playbooks} = run
	const connection = storedConnection(session.profile.connections, sub.globals.connection).id
	const request = {playbook, connection, incident: await incidentIn(sub.globals, session.profile), variables: variablesOf(sub)}
	if (sub.options.has('dry-run')) return await rehearse(run, request)
	const {id} = await playbooks.start(request)
	return await follow(run, id)
}

async function rehearse(run: Run, request: StartPlaybook) {
	const dry = await run.playbooks.dryRun(request, run.host.cut)
	const rows = dry.steps.map(({name, kind, what, result, calls}) => [name, kind, what, cut(result, 200), calls === 0 ? '' : String(calls)])
	printRows(run, ['Step', 'Kind', 'What', 'Result', 'Calls'], rows)
	const end = dry.because === null ? 'It would complete.' : `It would end early: ${dry.because}`
	const message = `${counted(dry.changes, ['change', 'changes'])}, about ${dry.calls} calls.${openSteps(dry.open)} Nothing was sent. ${end}`
	return printObject(run, {playbook: request.playbook}, dry, message, {code: Number(dry.because !== null)})
}

async function runs(run: Run) {
	const {sub, output, playbooks, option, session} = run
	const named = namedConnection(session.profile.connections, sub.globals)
	const connections = named === undefined ? undefined : [named]
	const limit = numberOption(sub, 'limit', 1, 500) ?? 50
	const {rows, matching} = await playbooks.runs({search: option('search'), connections, offset: 0, limit})
	const message = `${rows.length} of ${counted(matching, ['run', 'runs'])}.`
	const cells = rows.map(one => [one.id, seconds(one.startedAt), one.title, one.state, one.startedBy])
	const columns = ['Id', 'Started', 'Playbook', 'State', 'By']
	printTable(run, columns, cells, rows, matching === 0 ? 'No runs yet.' : message)
	if (output.mode !== 'json' && rows.length < matching) output.say(`${message} Give --limit N for more.`)
	return 0
}

/** Without a console an answered run continues here. */
async function goOn(run: Run, id: string) {
	const {playbooks} = run
	if ((await playbooks.head(id)).state === 'interrupted') await playbooks.resume(id)
	return await follow(run, id)
}

/** A console continues a run automatically. Without one, it has to reach its end or a question here. */
async function follow(run: Run, id: string) {
	const {sub, session, playbooks, host} = run
	const waits = sub.options.has('wait')
	if (session.console !== undefined && !waits) return print(run, await playbooks.run(id))
	const cancel = () => void playbooks.cancel(id).catch(() => {})
	const detail = await attended(host, cancel, async () => {
		const found = await playbooks.settled(id, host.cut)
		if (!waits || found.endedAt !== null) return found
		run.output.say(sentenceOf(found))
		return await playbooks.ended(id, host.cut)
	})
	return print(run, detail)
}

function print(run: Run, detail: PlaybookRunDetail) {
	const rows = detail.steps
		.filter(({kind}) => kind !== 'value')
		.map(({name, state, attempt, error, output: result, kind}) => [
			name,
			kind === 'sleep' ? 'pause' : stepStateWords({kind, state}),
			String(attempt),
			cut(error?.message ?? (typeof result === 'string' ? result : ''), 200)
		])
	printRows(run, ['Step', 'State', 'Attempt', 'Result'], rows)
	const data = run.output.mode === 'jsonl' ? detail.steps : detail
	return printObject(run, {run: detail.id}, data, sentenceOf(detail), {code: exitOf(detail)})
}

function sentenceOf({id, title, state, because, questions}: PlaybookRunDetail) {
	const asked = questions.map(({question, approval, free}) => {
		const command = approval === null ? `playbook answer ${id} ${free ? 'TEXT' : 'yes'}` : `approvals approve ${approval}`
		return `\n${question}\nAnswer with: cordon ${command}`
	})
	return `${title}: ${state}. Run ${id}.${because === null ? '' : ` ${because}`}${asked.join('')}`
}

function exitOf({state, code}: Pick<PlaybookRunDetail, 'code'> & Pick<PlaybookRun, 'state'>) {
	if (state === 'cancelled') return exitCodeOf('cancelled')
	if (state !== 'failed') return 0
	// Codes of steps come from the same table.
	return code !== null && Object.hasOwn(errorTable, code) ? exitCodeOf(code as ErrorCode) : 1
}
