import type {WriteMode} from '#model/frame.ts'

/** Why a change was not sent, for the one who wanted it. */
export function refusedWriting({because, problem = ''}: Extract<WriteMode, {kind: 'read_only'}>, name: string): string {
	if (because === 'locked') return `Changes on ${name} are locked: nothing was sent.`
	if (because === 'managed') return `Your administrator keeps ${name} read-only: nothing was sent. ${problem}`.trim()
	return `The connection ${name} is read-only here: nothing was sent.`
}
