import {instanceDefinitionSchema, type InstanceInput} from '#model/instance.ts'

import {defaultLimits} from '../../limits.ts'
import type {ForwardedInstance} from '../../types.ts'
import type {Part} from './engines.ts'

export function instance(input: InstanceInput, more: Partial<ForwardedInstance> = {}): ForwardedInstance {
	const definition = instanceDefinitionSchema.parse(input)
	const {listenPort} = definition
	return {
		...definition,
		listenPort: listenPort ?? 9,
		id: definition.name,
		origin: '',
		aliases: [],
		state: 'healthy',
		access: {kind: 'none'},
		...more,
	}
}

export function part(instances: readonly ForwardedInstance[], more: Partial<Part['config']> = {}): Part {
	return {
		config: {
			parameters: {'instance.execute.external': 'true', 'instance.execute.external.hidden': 'false'},
			instances,
			hostnames: ['gateway.example'],
			trustedProxies: [],
			platformVersion: '6.12',
			limits: defaultLimits,
			pseudonym: 'cordon',
			...more,
		},
	}
}
