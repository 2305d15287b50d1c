/** `cordon playbook schedule …` and `cordon playbook rule …`. */
import type {Automations} from '#core/playbooks/automation.ts'
import {ruleSchema, scheduleSchema, type AutomationView, type Firing} from '#model/automation.ts'

import {type Sub, numberOption, valuesOf} from './argv.ts'
import {storedConnection} from './choose-connection.ts'
import {usage} from './faults.ts'
import {printObject, printTable} from './result.ts'
import type {SubRun} from './session.ts'
import {seconds} from './terminal-table.ts'

interface Run extends SubRun {
	automations: Automations
}

export async function runAutomation(run: Run) {
	const {sub, automations} = run
	const [action = '', name = ''] = sub.words
	const kind = sub.spec.name === 'playbook rule' ? 'rule' : 'schedule'
	if (action !== 'list' && action !== 'history' && name === '')
		throw usage(`${action} needs a name`, `write cordon ${sub.spec.name} ${action} NAME`, 'NAME')
	switch (action) {
		case 'add':
			return print(run, await automations.save(kind === 'rule' ? ruleOf(run, name) : scheduleOf(run, name), 'cli'))
		case 'test':
			return test(run, name)
		case 'pause':
		case 'resume':
			return print(run, await automations.enable(name, action === 'resume', 'cli'))
		case 'remove':
			await automations.remove(name, 'cli')
			return printObject(run, {name}, {removed: name}, `${name} deleted.`)
		case 'history':
			return history(run, automations.firings(name === '' ? undefined : automations.find(name).id, 100))
		default:
			return list(run, kind)
	}
}

function list(run: Run, kind: AutomationView['kind']) {
	const all = run.automations.list().filter(one => one.kind === kind)
	const rows = all.map(one => [
		one.name,
		stateOf(one),
		one.kind === 'schedule' ? `${one.times} ${one.timeZone}` : [one.filter, ...one.roles, `${one.most} in ${one.minutes} min`].join(' · '),
		one.playbook ?? 'notification',
		one.next ?? '',
		one.last === null ? '' : `${one.last.outcome} ${seconds(one.last.at)}`
	])
	return printAll(run, ['Name', 'State', 'When', 'Does', 'Next', 'Last'], rows, all, 'None yet.')
}

function printAll(run: Run, columns: readonly string[], rows: string[][], all: readonly unknown[], none: string) {
	return printTable(run, columns, rows, all, all.length === 0 ? none : `${all.length} in all.`)
}

function stateOf({enabled, onHold}: AutomationView) {
	return enabled ? (onHold === null ? 'on' : 'on hold') : 'paused'
}

function print(run: Run, one: AutomationView) {
	const next = one.onHold ?? (one.next === null ? '' : `Next: ${one.next}.`)
	return printObject(run, {name: one.name}, one, `${one.name} is ${stateOf(one)}. ${next}`.trim())
}

function history(run: Run, all: readonly Firing[]) {
	const rows = all.map(({at, outcome, run, message}) => [seconds(at), outcome, run ?? '', message])
	return printAll(run, ['At', 'Outcome', 'Run', 'Message'], rows, all, 'Nothing yet.')
}

function test(run: Run, name: string) {
	const {automations} = run
	const rule = automations.find(name)
	if (rule.kind !== 'rule') throw usage(`${name} is not a rule`, 'name a rule', 'NAME')
	const trial = automations.test(rule, numberOf(run, 'days', 7))
	const rows = trial.rows.map(({at, hostname, type, outcome}) => [seconds(at), outcome, hostname, type])
	const message = `${rows.length} events match. Nothing was started.`
	return printTable(run, ['At', 'Would be', 'Computer', 'Event'], rows, trial, message, {name})
}

function commonOf({session, sub}: Run, name: string) {
	const connection = storedConnection(session.profile.connections, sub.globals.connection).id
	return {id: '', name, connection, enabled: true, variables: variablesOf(sub)}
}

function scheduleOf(run: Run, name: string) {
	const {option} = run
	const timeZone = option('zone') ?? Intl.DateTimeFormat().resolvedOptions().timeZone
	const given = {kind: 'schedule', playbook: option('playbook'), times: option('at'), missed: option('missed') ?? 'skip'}
	return checked(scheduleSchema, {...commonOf(run, name), ...given, timeZone})
}

function ruleOf(run: Run, name: string) {
	const {option, sub} = run
	return checked(ruleSchema, {
		...{...commonOf(run, name), kind: 'rule', filter: option('filter'), roles: sub.options.get('role') ?? []},
		...{playbook: option('playbook') ?? null, most: numberOf(run, 'most', 5), minutes: numberOf(run, 'minutes', 60)}
	})
}

const optionNames: Readonly<Record<string, string>> = {times: 'at', timeZone: 'zone', roles: 'role'}

function checked<T>(
	schema: {safeParse(value: unknown): {data?: T; error?: {issues: readonly {path: readonly PropertyKey[]; values?: readonly unknown[]}[]}}},
	value: unknown
): T {
	const {data, error} = schema.safeParse(value)
	if (data !== undefined) return data
	const {path: [field = 'name'] = [], values} = error?.issues[0] ?? {}
	const name = optionNames[String(field)] ?? String(field)
	const fix = values === undefined ? 'see "cordon help playbook"' : `use one of ${values.join(', ')}`
	throw usage(`--${name} is missing or wrong`, fix, name)
}

function numberOf({sub}: Run, name: string, otherwise: number) {
	return numberOption(sub, name, 1, 1_000_000) ?? otherwise
}

export function variablesOf({options}: Sub): Readonly<Record<string, string>> {
	const given = valuesOf({options}, 'var').map(text => {
		const at = text.indexOf('=')
		if (at < 1) throw usage(`--var ${text} has no value`, 'write --var name=value', 'var')
		const name = text.slice(0, at)
		return [name.startsWith('__') ? name : `__${name}__`, text.slice(at + 1)] as const
	})
	return Object.fromEntries(given)
}
