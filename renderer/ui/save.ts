import type {TextFile} from '#model/text-file.ts'
import {showUnseenInJson} from '#text/foreign.ts'

/**
 * Like `saveBlob`. Invisible characters are escaped in JSON; other formats already show them (`csvLine`, `inMarkdown`, `inHtml`).
 */
export function saveText({name, text}: TextFile) {
	const ending = name.replace(/.*\./, '')
	saveBlob(new Blob([ending.startsWith('json') ? showUnseenInJson(text) : text], {type: mediaTypes[ending] ?? 'text/plain'}), name)
}

const mediaTypes: Readonly<Record<string, string>> = {
	csv: 'text/csv',
	html: 'text/html',
	json: 'application/json',
	jsonl: 'application/jsonl',
	md: 'text/markdown'
}

/** Gives a file to the browser, which asks for a place or uses its default. */
export function saveBlob(blob: Blob, name: string) {
	const url = URL.createObjectURL(blob)
	const link = document.createElement('a')
	link.href = url
	link.download = name
	link.click()
	URL.revokeObjectURL(url)
}
