import type {WriteMode} from '#model/frame.ts'

/** Why a change was not sent; `null` when it may be. */
export function refusedWriting(mode: WriteMode, name: string) {
	if (mode.kind === 'guarded') return null
	const {because, problem = ''} = mode
	if (because === 'locked') return `Changes on ${name} are locked: nothing was sent.`
	if (because === 'managed') return `Your administrator keeps ${name} read-only: nothing was sent. ${problem}`.trim()
	return `The connection ${name} is read-only here: nothing was sent.`
}
