/** What must hold before a command is logged and sent. Everything here throws and nothing here talks to the service. */
import type { CommandSpec } from '#shared/commands/define.ts';
import type { CommandOptions } from '#shared/commands/result.ts';
import { CordonError } from '#shared/contract/errors.ts';
import type { Connection } from '#shared/model/connection.ts';
import type { WriteMode } from '#shared/model/frame.ts';

import { refusedWriting } from '#core/base/read-only.ts';

type Args = Readonly<Record<string, unknown>>;

export function checkOptions(spec: CommandSpec, args: Args, options: CommandOptions): void {
	if (options.all === true && !spec.options.includes('all'))
		throw new CordonError('usage', `${spec.name} has no option all.`, { field: 'all' });
	if (options.all === true && args['limit'] !== undefined) {
		throw new CordonError('usage', 'Give limit or all, not both.', { field: 'all' });
	}
	if (options.wait === undefined) return;
	if (!spec.options.includes('wait'))
		throw new CordonError('usage', `${spec.name} has no option wait.`, { field: 'wait' });
	if (args['status'] === undefined) {
		throw new CordonError('usage', 'wait needs status: the state to wait for.', { field: 'status' });
	}
}

/** Reading is always allowed; a change only where nobody switched writing off. */
export function checkMode(spec: CommandSpec, connection: Connection, mode: WriteMode): void {
	if (spec.risk === 'read' || mode.kind === 'guarded') return;
	throw new CordonError('read_only', refusedWriting(mode.because, connection.name));
}
