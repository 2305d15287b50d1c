import type {TextFile} from '#model/text-file.ts'
import {showUnseenInJson} from '#text/foreign.ts'

/**
 * Like `saveBlob`. Invisible characters are escaped in JSON; other formats already show them (`csvLine`, `inMarkdown`, `inHtml`).
 */
export function saveText({name, mediaType, text}: TextFile) {
	saveBlob(new Blob([mediaType.includes('json') ? showUnseenInJson(text) : text], {type: mediaType}), name)
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
