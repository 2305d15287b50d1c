import type {Certificates} from '#core/app/gateway.ts'
import type {CertificateStatus} from '#contract/instances.ts'

import {usage} from './faults.ts'
import {unreadable, unwritable} from './files.ts'
import {readSecretText} from './key.ts'
import {printObject} from './result.ts'
import {inSession, withInstances, type SubCall} from './session.ts'
import {recordText} from './terminal-table.ts'

interface Run extends SubCall {
	certificates: Certificates
}

export async function runAuthority(call: SubCall) {
	return await inSession(call, 'stores', ({session}) =>
		withInstances(session, async ({certificates}) => {
			await actions[call.sub.spec.name]?.({...call, certificates})
			return 0
		})
	)
}

const actions: Readonly<Record<string, (run: Run) => Promise<unknown>>> = {
	'ca show': async run => print(run, await run.certificates.status()),
	'ca export': exportAuthority,
	'ca import': importOwn,
	'ca renew': async run => print(run, await run.certificates.renew()),
	'ca use-local': async run => print(run, await run.certificates.useLocal())
}

async function exportAuthority(run: Run) {
	const {option, host, output, certificates} = run
	const format = option('format') === 'der' ? 'der' : 'pem'
	const out = option('out')
	if (format === 'der' && out === undefined && output.mode === 'text') throw usage('The form der is not text', 'give --out FILE', 'out')
	const {name, mediaType, content, hints: general} = await certificates.exportAuthority(format)
	const hints = out === undefined ? general : general.map(hint => ({...hint, steps: naming(hint.steps, format, out)}))
	if (out === undefined && output.mode === 'text') return output.raw(content)
	if (out !== undefined) await host.files.write(out, format === 'der' ? Buffer.from(content, 'base64') : content).catch(unwritable(out, 'out'))
	const data = {name, mediaType, hints, ...(out === undefined ? {content} : {file: out})}
	const steps = hints.map(({product, steps: text}) => `\n\n${product}\n  ${text.replaceAll('\n', '\n  ')}`).join('')
	return printObject(run, {format}, data, out === undefined ? name : `The certificate of the authority is in ${out}.${steps}`)
}

const fileOf = {pem: 'cordon-ca.pem', der: 'cordon-ca.cer'} as const

/** Names the written file in the steps; where the steps need the other format, says how to get it. */
function naming(steps: string, format: 'pem' | 'der', file: string) {
	const other = format === 'pem' ? 'der' : 'pem'
	const named = steps.replaceAll(fileOf[format], () => file)
	if (!steps.includes(fileOf[other])) return named
	return `${named}\n${fileOf[other]} is written by: cordon ca export --format ${other} --out ${fileOf[other]}`
}

/** Bytes: a key with its certificates takes a few kilobytes. */
const mostKey = 262_144

async function importOwn(run: Run) {
	const {option, host, certificates} = run
	const [certificate, key] = ['certificate', 'key'].map(option)
	if (certificate === undefined || key === undefined)
		throw usage('ca import needs --certificate FILE and --key FILE', 'give both, in PEM form', certificate === undefined ? 'certificate' : 'key')
	const pem = await host.files.read(certificate).catch(unreadable(certificate, 'certificate'))
	print(run, await certificates.import(pem, await readSecretText(host, key, 'key', mostKey)))
}

function print(run: Run, status: CertificateStatus | null) {
	const {output} = run
	const message = status === null ? 'There is no certificate yet: one is made when the server first runs.' : sentence(status)
	if (output.mode !== 'text' || status === null) return printObject(run, {}, status, message)
	const fields: readonly (readonly [string, string])[] = [
		['Kind', status.kind === 'local' ? 'issued by the local authority' : 'imported'],
		['Subject', status.subject],
		['Names', status.names.join(', ')],
		['Valid from', status.notBefore],
		['Valid until', status.notAfter],
		['SHA-256', status.fingerprint],
		['Authority', status.authority === null ? '' : `${status.authority.subject}, until ${status.authority.notAfter}`],
		['Authority SHA-256', status.authority?.fingerprint ?? ''],
		['Note', status.problem ?? '']
	]
	const shown = fields.filter(([, value]) => value !== '')
	return output.print(recordText({columns: shown.map(([title]) => title), rows: [shown.map(([, value]) => value)]}, output.width))
}

function sentence({subject, notAfter, problem}: CertificateStatus) {
	return problem ?? `The certificate of ${subject} is valid until ${notAfter}.`
}
