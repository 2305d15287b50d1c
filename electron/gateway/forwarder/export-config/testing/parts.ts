import {configOf} from '../../testing/heads.ts'
import type {ForwardedInstance} from '../../types.ts'
import type {Part} from './engines.ts'

export function part(instances: readonly ForwardedInstance[], more: Partial<Part['config']> = {}): Part {
	const parameters = {'instance.execute.external': 'true', 'instance.execute.external.hidden': 'false'}
	return {config: configOf([], {parameters, instances, hostnames: ['gateway.example'], ...more})}
}
