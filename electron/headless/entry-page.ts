/**
 * Leads the operator's own browser in. The one-time link is never a process argument, which every user of the computer can read:
 * the browser gets the name of a file in the profile, which only its owner can open.
 */
import {rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'

export function writeEntryFile(profile: string, entryUrl: string) {
	const path = join(profile, 'enter.html')
	const remove = () => rmSync(path, {force: true})
	remove()
	writeFileSync(
		path,
		'<!doctype html><html lang="en"><meta charset="utf-8"><meta name="referrer" content="no-referrer">' +
			`<meta http-equiv="refresh" content="0;url=${entryUrl}"><title>Cordon</title></html>\n`,
		{mode: 0o600, flag: 'wx'}
	)
	return {
		/** `file:///…/enter.html` */
		url: pathToFileURL(path).href,
		remove
	}
}
