/** Why a draft cannot be committed now, besides a read-only connection. Pure. */
import type {FileListRow} from '#contract/directory.ts'
import type {FrameState} from '#model/frame.ts'
import type {DraftState} from '#model/list-draft.ts'

import {callWords, readCalls} from '../words.ts'

interface Facts {
	list: Pick<FileListRow, 'vanishedAt' | 'items' | 'itemsRead'>
	state: Pick<DraftState, 'ready' | 'listRead' | 'rows'>
	frame: Pick<FrameState, 'link'> | null
}

/** In a sentence; `null` when it can. */
export function commitBlock({list, state, frame}: Facts) {
	if (list.vanishedAt !== null) return 'This list was deleted elsewhere.'
	if (!state.listRead) return `The list was not fully loaded: load it first, ${callWords(readCalls(list))}. Its contents are unknown.`
	if (state.rows === 0) return 'Nothing is staged.'
	if (state.ready === 0) return 'No staged row is ready.'
	if (frame?.link.kind !== 'failing') return null
	const {error} = frame.link
	return error.code === 'unauthorized' || error.code === 'forbidden' ? `The key is not accepted: ${error.message}` : null
}
