/** What the parts of looking after one instance share. */
import type {InstanceDetail} from '#shared/contract/instances.ts'
import type {Instance, InstanceHealth} from '#shared/model/instance.ts'

import type {Clock} from '#core/base/ports.ts'
import type {ProcessIdentity} from '#core/store/process-identity.ts'
import type {Builtins, RunningBuiltin} from './builtins.ts'
import type {Health} from './health.ts'
import type {Output} from './output.ts'
import type {Program} from './program.ts'

export interface UnitOptions {
	readonly clock: Clock
	/** What a managed instance inherits. */
	readonly environment: Readonly<Record<string, string>>
	readonly builtins: Builtins
	/** Who holds a port, in words; `null`: nobody. */
	readonly holder: (port: number) => Promise<string | null>
	readonly onHealth: (id: string, health: InstanceHealth) => void
	/** A managed instance was started, or ended (`undefined`). */
	readonly onProcess: (id: string, identity: ProcessIdentity | undefined) => void
	/** A line that a managed instance printed; must be quick. */
	readonly onOutput?: ((id: string, line: InstanceDetail['output'][number]) => void) | undefined
	readonly onTrouble: (message: string, error?: unknown) => void
	/** Milliseconds of real time between the request to end and the end by force. */
	readonly patienceMs: number
}

export interface Parts extends UnitOptions {
	instance: Instance
	readonly health: Health
	readonly output: Output
	readonly stopping: AbortSignal
	program: Program | undefined
	builtin: RunningBuiltin | undefined
	isOpen: boolean | undefined
}

/** Every state but healthy says why it is so. */
export const reasons = {
	disabled: 'It is switched off.',
	unseen: 'It has not been looked at yet.',
	begins: 'Starting…',
	ended: 'It was stopped.',
} as const
