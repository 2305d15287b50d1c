/** Common parts of running one instance. */
import type {InstanceDetail} from '#contract/instances.ts'
import type {Instance, InstanceHealth} from '#model/instance.ts'

import type {Clock} from '#base/ports.ts'
import type {ProcessIdentity} from '#core/store/process-identity.ts'
import type {Builtins, RunningBuiltin} from './builtins.ts'
import type {Health} from './health.ts'
import type {Output} from './output.ts'
import type {Program} from './program.ts'

export interface UnitOptions {
	clock: Clock
	/** Inherited by a managed instance. */
	environment: Readonly<Record<string, string>>
	builtins: Builtins
	/** The holder of a port, in words; `null`: nobody. */
	holder: (port: number) => Promise<string | null>
	onHealth: (id: string, health: InstanceHealth) => void
	/** A managed instance started, or ended (`undefined`). */
	onProcess: (id: string, identity: ProcessIdentity | undefined) => void
	/** An output line of a managed instance; must be quick. */
	onOutput?: ((id: string, line: InstanceDetail['output'][number]) => void) | undefined
	onTrouble: (message: string, error?: unknown) => void
	/** Milliseconds of real time before a forced end. */
	patienceMs: number
}

export interface Parts extends UnitOptions {
	instance: Instance
	health: Health
	output: Output
	stopping: AbortSignal
	program: Program | undefined
	builtin: RunningBuiltin | undefined
	isOpen: boolean | undefined
}

/** Every state except healthy has a reason. */
export const reasons = {
	disabled: 'It is switched off.',
	unseen: 'It has not been checked yet.',
	begins: 'Starting…',
	ended: 'It was stopped.'
} as const
