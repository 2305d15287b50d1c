/** Allowed changes and those that need a typed confirmation, decided from the whole stored state before and after. */
import {CordonError, invalidArgument} from '#contract/errors.ts'
import type {Instance} from '#model/instance.ts'
import {exposeAll, exposureOf, readParameters, type ServerParameters} from '#model/server-parameter.ts'

export interface Stock {
	readonly instances: readonly Instance[]
	readonly parameters: ServerParameters
}

const elsewhere = {field: 'listenPort', fix: 'Choose another port, or none: then a free one is found.'}

/** Throws `taken`, naming the other instance. */
export function refuseTaken(wanted: Pick<Instance, 'id' | 'name' | 'listenPort'>, others: readonly Instance[]) {
	const rest = others.filter(({id}) => id !== wanted.id)
	const samePort = rest.find(({listenPort}) => listenPort === wanted.listenPort)
	if (samePort !== undefined)
		throw new CordonError('taken', `Port ${wanted.listenPort} is the listen port of the instance ${samePort.name}.`, elsewhere)
	if (rest.some(({name}) => name === wanted.name)) throw new CordonError('taken', `There is an instance ${wanted.name} already.`, {field: 'name'})
}

/** Throws `taken`: on the forwarding server's port, the route would lead an external instance to itself. */
export function refuseOwnPort({listenPort}: Pick<Instance, 'listenPort'>, parameters: ServerParameters) {
	const {port} = readParameters(parameters, []).settings.listen
	if (listenPort !== port) return
	throw new CordonError('taken', `Port ${port} is the port of the forwarding server itself (forward.listen).`, elsewhere)
}

/** Throws `conflict`: the change would undo another. `revision`: as read. */
export function refuseChanged(now: Instance | undefined, revision: number | undefined) {
	if (now === undefined || revision === undefined || now.revision === revision) return
	const message = `The instance ${now.name} was changed meanwhile, so nothing was saved. Open it again and repeat your change.`
	throw new CordonError('conflict', message)
}

/** Throws `invalid_argument`: the access check would refuse everybody. */
export function refuseUselessAccess({access, secrets, program}: Instance) {
	if (program.kind === 'builtin' && program.builtin.service === 'webhook') refuseUnsigned(access)
	const missing = {
		none: undefined,
		certificate: undefined,
		basic: secrets.users.length === 0 ? (['users', 'a user and a password'] as const) : undefined,
		bearer: secrets.tokens === 0 ? (['tokens', 'a token'] as const) : undefined,
		hmac: secrets.signingKey ? undefined : (['signingKey', 'the signing key'] as const)
	}[access.kind]
	if (missing === undefined) return
	const [field, what] = missing
	throw invalidArgument(`Access by ${access.kind} needs ${what}.`, field)
}

/** GitHub signs no time: its requests could be replayed. */
function refuseUnsigned(access: Instance['access']) {
	if (access.kind === 'hmac' && access.preset !== 'github') return
	const message = 'A webhook takes requests that are signed with their time: by Slack, Microsoft Teams or Standard Webhooks.'
	throw invalidArgument(message, 'access')
}

/** Throws `invalid_argument`: the route reaches instances over plain HTTP only. */
export function refuseExposedCertificate({instances, parameters}: Stock) {
	const wrong = instances.find(({name, certificate}) => certificate !== '' && exposureOf(parameters, name).exposed)
	if (wrong === undefined) return
	const {key} = exposureOf(parameters, wrong.name)
	throw new CordonError(
		'invalid_argument',
		`The instance ${wrong.name} has a certificate and so speaks HTTPS itself; the route reaches instances over plain HTTP only, so it cannot be exposed.`,
		{field: 'certificate', fix: `Remove its certificate, or ${key === exposeAll ? 'set its own key to false' : 'do not expose it'}.`}
	)
}

/** The text to type for the change, with the reason; `undefined` without one. */
function neededConfirmation(before: Stock, after: Stock) {
	const wasOpen = new Set(before.instances.filter(isOpen).map(({id}) => id))
	const opened = after.instances.find(instance => isOpen(instance) && !wasOpen.has(instance.id))
	const unguarded = unguardedOnLan(after)
	const known = new Set(unguardedOnLan(before).map(({id}) => id))
	const fresh = unguarded.filter(({id}) => !known.has(id))
	const [one, ...more] = fresh
	if (one !== undefined) {
		const why = `Anyone on the network could use ${namesOf(fresh)} without any access control.`
		if (!onLan(before)) return {text: 'LAN', why}
		return {text: more.length === 0 ? one.name : exposeAll, why}
	}
	if (opened === undefined) return undefined
	const why = `Port ${opened.listenPort} of ${opened.name} would be open to the network, past the access control of the route.`
	return {text: opened.name, why}
}

/** By Cordon: of an external one the setting has no effect. */
function isOpen({openPort, program}: Instance) {
	return openPort && program.kind !== 'external'
}

/** Throws `confirmation_needed` unless the text was typed. */
export function demandConfirmation(before: Stock, after: Stock, typed: string | undefined) {
	const needed = neededConfirmation(before, after)
	if (needed === undefined) return false
	if (typed === needed.text) return true
	throw new CordonError('confirmation_needed', `${needed.why} Type ${needed.text} to confirm.`, {field: needed.text})
}

/** Exposed on a LAN listener without access control. A disabled one counts: enabling it needs no confirmation. */
function unguardedOnLan(stock: Stock) {
	if (!onLan(stock)) return []
	return stock.instances.filter(instance => exposureOf(stock.parameters, instance.name).exposed && isUnguarded(instance))
}

export function isUnguarded({access, allow}: Pick<Instance, 'access' | 'allow'>) {
	return access.kind === 'none' && allow.length === 0
}

function onLan({parameters}: Stock) {
	return readParameters(parameters, []).settings.lan
}

function namesOf(instances: readonly Instance[]) {
	return instances.map(({name}) => name).join(', ')
}
