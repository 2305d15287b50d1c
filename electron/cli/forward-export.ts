import {join, resolve} from 'node:path'

import {haproxyConfig} from '#gateway/forwarder/export-config/haproxy.ts'
import {nginxConfig} from '#gateway/forwarder/export-config/nginx.ts'
import type {Exported, ExportInput} from '#gateway/forwarder/export-config/types.ts'
import {defaultLimits} from '#gateway/forwarder/limits.ts'
import {machineNames} from '#gateway/forwarder/tls/names.ts'
import type {ForwardedInstance} from '#gateway/forwarder/types.ts'
import type {ForwardFile} from '#gateway/instances/config-file/types.ts'
import {accessRuleOf, configOf, forwardedOf} from '#gateway/instances/forwarder-config.ts'
import {messageOf, usageError} from '#contract/errors.ts'
import {readParameters} from '#model/server-parameter.ts'

import {usage} from './faults.ts'
import {configPath, readConfig} from './forward-file.ts'
import type {CliHost} from './host.ts'
import {printObject} from './result.ts'
import {inSession, withInstances, type SubCall} from './session.ts'

type Source = Pick<ExportInput, 'listen' | 'config'> & {certificate: ExportInput['certificate'] | null}

export async function exportForward(call: SubCall) {
	const {sub, host, option} = call
	const format = option('format')
	if (format === undefined) throw usage('forward export needs --format', 'give --format nginx or --format haproxy', 'format')
	const source = sub.options.has('config') ? fromFile(await readConfig(configPath(call), host)) : await fromProfile(call)
	const folder = option('out')
	const input: ExportInput = {
		...source,
		certificate: certificateOf(call, source.certificate, format),
		folder: folder === undefined ? `/etc/${format}` : resolve(host.folder, folder)
	}
	const exported = format === 'haproxy' ? haproxyConfig(input) : nginxConfig(input)
	await put(exported, format, folder === undefined ? undefined : resolve(host.folder, folder), call)
	return 0
}

function fromFile(file: ForwardFile): Source {
	const {parameters, listen} = file
	const instances = file.instances.map(({definition, access}): ForwardedInstance => {
		const state = definition.enabled ? 'healthy' : 'disabled'
		return {...definition, id: definition.name, origin: '', aliases: [], state, access}
	})
	const {settings} = readParameters(parameters, [])
	return {
		listen: {host: listen.host ?? (listen.lan ? '::' : settings.listen.host), port: listen.port ?? settings.listen.port},
		config: configOf({
			instances,
			parameters,
			settings: {...settings, hostnames: listen.hostnames, trustedProxies: listen.trustedProxies},
			own: machineNames(),
			limits: listen.limits
		}),
		certificate: listen.certificate
	}
}

function fromProfile(call: SubCall): Promise<Source> {
	return inSession(call, 'stores', ({session}) =>
		withInstances(session, ({store}) => {
			const {stored, parameters, settings} = store.snapshot()
			const instances = stored.map(({instance, verifiers}) => {
				// The engines check no signatures, so the key itself is not needed.
				const access = accessRuleOf(instance, verifiers, '')
				return forwardedOf(instance, instance.enabled ? 'healthy' : 'disabled', access)
			})
			return {
				listen: {host: settings.lan ? '::' : settings.listen.host, port: settings.listen.port},
				config: configOf({instances, parameters, settings, own: machineNames(), limits: defaultLimits}),
				certificate: null
			}
		})
	)
}

/** The engine chooses the certificate's path unless an option names it. */
function certificateOf({option}: SubCall, stored: Source['certificate'], format: string): ExportInput['certificate'] {
	return {
		certificateFile: option('certificate-path') ?? stored?.certificateFile ?? `/etc/${format}/cordon.pem`,
		keyFile: option('key-path') ?? stored?.keyFile ?? `/etc/${format}/cordon.key`
	}
}

async function put({text, files, impossible}: Exported, format: string, folder: string | undefined, call: SubCall) {
	const {host, output} = call
	const name = format === 'nginx' ? 'cordon.conf' : 'cordon.cfg'
	const all = [{name, content: text}, ...files]
	if (folder !== undefined) await writeAll(host, folder, all)
	if (output.mode !== 'text') {
		const data = {files: folder === undefined ? all : all.map(file => join(folder, file.name)), impossible}
		return void printObject(call, {format}, data, `${impossible.length} things are not possible there.`)
	}
	if (folder === undefined) output.raw(text)
	else output.print(`Written: ${all.map(file => join(folder, file.name)).join(', ')}`)
	if (folder === undefined && files.length > 0)
		output.say(`Note: it needs ${files.map(file => file.name).join(', ')} too: give --out DIR to have it written.`)
	for (const line of impossible) output.say(`Not possible with ${format}: ${line}`)
}

async function writeAll(host: CliHost, folder: string, files: Exported['files']) {
	try {
		for (const {name, content} of files) await host.files.write(join(folder, name), content, {folder: true})
	} catch (error) {
		throw usageError(`The folder cannot be written: ${messageOf(error)}.`, 'out')
	}
}
