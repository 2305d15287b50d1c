import type {InstanceInput, ListService, ListSource} from '#model/instance.ts'

import {linesOf} from '#ui/form.ts'

/** The list service in the form: sources by kind, lists of values as texts. */
export interface ListDraft {
	readonly type: ListService['type']
	readonly format: ListService['format']
	readonly text: string
	/** Paths, one per line. */
	readonly files: string
	readonly connection: string
	/** GUIDs of file lists, one per line. */
	readonly fileLists: string
	readonly size: string
	readonly refreshS: string
	readonly shrinkGuardPercent: string
	readonly collapse: ListService['collapse']
	readonly allowEmpty: boolean
	readonly stripPort: boolean
	readonly stripProtocol: boolean
	readonly dropInvalid: boolean
	readonly commentIfEmpty: boolean
	readonly never: string
	/** Sources that the form cannot show separately stay unchanged. */
	readonly further: readonly ListSource[]
	/** Settings not shown in the form. */
	readonly rest: Partial<ListService>
}

export const emptyList: ListDraft = {
	type: 'ip',
	format: 'text',
	text: '',
	files: '',
	connection: '',
	fileLists: '',
	size: '1000000',
	refreshS: '300',
	shrinkGuardPercent: '50',
	collapse: 'none',
	allowEmpty: false,
	stripPort: true,
	stripProtocol: true,
	dropInvalid: true,
	commentIfEmpty: true,
	never: '',
	further: [],
	rest: {},
}

/** The whole list service; for another service only its sources. */
export function listDraftOf(service: Pick<ListService, 'sources'> | ListService): Partial<ListDraft> {
	const [text, ...otherTexts] = service.sources.filter(source => source.kind === 'text')
	const lists = service.sources.filter(source => source.kind === 'file_list')
	const connection = lists[0]?.connection ?? ''
	const shown = {
		text: text?.text ?? '',
		files: service.sources.flatMap(source => (source.kind === 'file' ? [source.path] : [])).join('\n'),
		connection,
		fileLists: lists.flatMap(source => (source.connection === connection ? [source.guid] : [])).join('\n'),
		further: [...otherTexts, ...lists.filter(source => source.connection !== connection)],
	}
	if (!('type' in service)) return shown
	return {
		...shown,
		type: service.type,
		format: service.format,
		size: String(service.size),
		refreshS: String(service.refreshS),
		shrinkGuardPercent: String(service.shrinkGuardPercent),
		collapse: service.collapse,
		allowEmpty: service.allowEmpty,
		stripPort: service.stripPort,
		stripProtocol: service.stripProtocol,
		dropInvalid: service.dropInvalid,
		commentIfEmpty: service.commentIfEmpty,
		never: service.never.join('\n'),
		rest: service,
	}
}

type BuiltIn = Extract<NonNullable<InstanceInput['program']>, {kind: 'builtin'}>['builtin']

export function listSourcesOf(draft: ListDraft): ListSource[] {
	const {connection} = draft
	return [
		...(draft.text.trim() === '' ? [] : [{kind: 'text' as const, text: draft.text}]),
		...linesOf(draft.files).map(path => ({kind: 'file' as const, path})),
		...linesOf(draft.fileLists).map(guid => ({kind: 'file_list' as const, connection, guid})),
		...draft.further,
	]
}

export function listInputOf(draft: ListDraft): BuiltIn {
	return {
		...draft.rest,
		service: 'list',
		type: draft.type,
		format: draft.format,
		sources: listSourcesOf(draft),
		size: Number(draft.size),
		refreshS: Number(draft.refreshS),
		shrinkGuardPercent: Number(draft.shrinkGuardPercent),
		collapse: draft.collapse,
		allowEmpty: draft.allowEmpty,
		stripPort: draft.stripPort,
		stripProtocol: draft.stripProtocol,
		dropInvalid: draft.dropInvalid,
		commentIfEmpty: draft.commentIfEmpty,
		never: linesOf(draft.never),
	}
}
