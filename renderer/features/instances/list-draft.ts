import type {InstanceInput, ListService, ListSource} from '#model/instance.ts'

import {linesOf} from '#ui/form.ts'

/** The list service in the form: sources by kind, lists of values as texts. */
export interface ListDraft extends Omit<ListService, 'service' | 'sources' | 'size' | 'refreshS' | 'shrinkGuardPercent' | 'never'> {
	text: string
	/** Paths, one per line. */
	files: string
	connection: string
	/** GUIDs of file lists, one per line. */
	fileLists: string
	size: string
	refreshS: string
	shrinkGuardPercent: string
	never: string
	/** Sources that the form cannot show separately stay unchanged. */
	further: readonly ListSource[]
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
	allowPrivate: false,
	never: '',
	further: []
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
		further: [...otherTexts, ...lists.filter(source => source.connection !== connection)]
	}
	if (!('type' in service)) return shown
	const {service: _service, sources: _sources, size, refreshS, shrinkGuardPercent, never, ...same} = service
	const numbers = {size: String(size), refreshS: String(refreshS), shrinkGuardPercent: String(shrinkGuardPercent)}
	return {...shown, ...same, ...numbers, never: never.join('\n')}
}

type BuiltIn = Extract<NonNullable<InstanceInput['program']>, {kind: 'builtin'}>['builtin']

type Sources = Pick<ListDraft, 'text' | 'files' | 'connection' | 'fileLists' | 'further'>

export function listSourcesOf(draft: Sources): ListSource[] {
	const {connection} = draft
	return [
		...(draft.text.trim() === '' ? [] : [{kind: 'text' as const, text: draft.text}]),
		...linesOf(draft.files).map(path => ({kind: 'file' as const, path})),
		...linesOf(draft.fileLists).map(guid => ({kind: 'file_list' as const, connection, guid})),
		...draft.further
	]
}

export function listInputOf(draft: ListDraft): BuiltIn {
	const {text, files, connection, fileLists, further, size, refreshS, shrinkGuardPercent, never, ...same} = draft
	return {
		...same,
		service: 'list',
		sources: listSourcesOf({text, files, connection, fileLists, further}),
		...{size: Number(size), refreshS: Number(refreshS), shrinkGuardPercent: Number(shrinkGuardPercent)},
		never: linesOf(never)
	}
}
