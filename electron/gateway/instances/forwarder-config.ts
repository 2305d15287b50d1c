/** The forwarding server's configuration, from stored settings and running state. */
import type {Instance, InstanceState} from '#model/instance.ts'
import type {ForwardSettings, ServerParameters} from '#model/server-parameter.ts'

import {defaultLimits} from '../forwarder/limits.ts'
import type {AccessRule, ForwardedInstance, ForwarderConfig, ServerLimits} from '../forwarder/types.ts'
import type {OwnNames} from './origins.ts'
import type {Verifiers} from './types.ts'

interface ConfigParts {
	instances: readonly ForwardedInstance[]
	parameters: ServerParameters
	settings: Pick<ForwardSettings, 'hostnames' | 'trustedProxies' | 'platformVersion'>
	own: OwnNames
	limits?: ServerLimits | undefined
	/** Whether the certificate is from a public authority. */
	isPublic?: boolean | undefined
}

export function configOf({instances, parameters, settings, own, limits, isPublic = false}: ConfigParts): ForwarderConfig {
	const {hostnames, trustedProxies, platformVersion} = settings
	const names = [...hostnames, ...own.hostnames, ...own.addresses].map(name => name.toLowerCase())
	return {
		parameters,
		instances,
		hostnames: [...new Set(names)],
		trustedProxies,
		platformVersion,
		limits: limits ?? defaultLimits,
		pseudonym: 'cordon',
		strictTransportSecurity: isPublic
	}
}

/** Without what a program of the same kind is told, such as the sources of a list. */
const originKeys = ['id', 'host', 'listenPort', 'program', 'kind', 'command', 'folder', 'builtin', 'service', 'type']

/** `access`: `null` when a secret for the check is missing; then nobody is admitted. */
export function forwardedOf(instance: Instance, state: InstanceState, access: AccessRule | null): ForwardedInstance {
	const {program, healthCheck: _check, secrets: _secrets, createdAt: _made, revision: _revision, ...given} = instance
	const rest = {...given, certificate: '', origin: JSON.stringify(instance, originKeys)}
	// Without a check: 503 rather than 401, which would make firewalls drop a list; no stored answer is served.
	if (access === null) return {...rest, access: {kind: 'none'}, state: 'stopped', serveStaleS: 0, singleFlight: false}
	// An instance run outside Cordon is checked by the request itself.
	const asked = program.kind === 'external' && state !== 'disabled' ? 'healthy' : state
	return {...rest, access, state: asked}
}

/** `null`: the signing key is missing. */
export function accessRuleOf({access}: Instance, verifiers: Verifiers, key: string | undefined): AccessRule | null {
	switch (access.kind) {
		case 'none':
		case 'certificate':
			return access
		case 'basic':
			return {...access, users: verifiers.users}
		case 'bearer':
			return {...access, verifiers: verifiers.tokens}
		case 'hmac':
			return key === undefined ? null : {...access, key}
	}
}
