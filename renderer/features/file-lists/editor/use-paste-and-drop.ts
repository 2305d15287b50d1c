import {useEffect, useEffectEvent, useState} from 'react'

import {isDialogOpen} from '#ui/list-of-screen.ts'
import type {OpenDialog} from './EditorDialogs.tsx'

/**
 * Pasting and dropping anywhere on the screen opens a dialog with a preview, unless any is open. Returns whether files are
 * dragged over it.
 */
export function usePasteAndDrop(onOpen: (dialog: OpenDialog) => void) {
	const [isOver, setOver] = useState(false)
	const opened = useEffectEvent(onOpen)
	useEffect(() => {
		const take = (transfer: DataTransfer | null, name: string, event: Event) => {
			const files = [...(transfer?.files ?? [])]
			const text = transfer?.getData('text/plain') ?? ''
			if (files.length === 0 && text.trim() === '') return
			event.preventDefault()
			opened(files.length > 0 ? {kind: 'files', ...firstFiles(files)} : {kind: 'stage', name, text})
		}
		const onPaste = (event: ClipboardEvent) => {
			if (!isField(event.target) && !isDialogOpen()) take(event.clipboardData, 'pasted', event)
		}
		const onOver = (event: DragEvent) => {
			if (isDialogOpen() || event.dataTransfer?.types.some(type => type === 'Files' || type === 'text/plain') !== true) return
			event.preventDefault()
			setOver(true)
		}
		const onLeave = (event: DragEvent) => {
			if (event.relatedTarget === null) setOver(false)
		}
		const onDrop = (event: DragEvent) => {
			setOver(false)
			if (isDialogOpen()) return
			const folders = droppedFolders(event.dataTransfer)
			if (folders === null) return take(event.dataTransfer, 'dropped', event)
			event.preventDefault()
			void filesBelow(folders).then(found => opened({kind: 'files', ...found}))
		}
		const stop = new AbortController()
		const {signal} = stop
		window.addEventListener('paste', onPaste, {signal})
		window.addEventListener('dragover', onOver, {signal})
		window.addEventListener('dragleave', onLeave, {signal})
		window.addEventListener('drop', onDrop, {signal})
		return () => stop.abort()
	}, [])
	return isOver
}

function isField(target: EventTarget | null) {
	return target instanceof Element && target.closest('input, textarea, [contenteditable="true"]') !== null
}

/* Chosen and dropped files, including those in folders. */

/** Maximum files hashed at once; and a depth that no real tree of folders exceeds. */
const mostFiles = 1000
const deepest = 50

interface DroppedFiles {
	files: readonly File[]
	/** Omitted files and the reason, in a sentence; `null` when complete. */
	note: string | null
}

/** Call during the event. `null` without folders. */
function droppedFolders(transfer: DataTransfer | null) {
	const entries = [...(transfer?.items ?? [])].flatMap(item => item.webkitGetAsEntry() ?? [])
	return entries.some(({isDirectory}) => isDirectory) ? entries : null
}

/** All files below those entries. Browsers do not follow links, so a cycle ends. */
export async function filesBelow(entries: readonly FileSystemEntry[]): Promise<DroppedFiles> {
	const files: File[] = []
	const failed: string[] = []
	let level = entries
	for (let depth = 0; level.length > 0 && depth < deepest && files.length < mostFiles; depth += 1) {
		const inside: FileSystemEntry[] = []
		for (const entry of level) {
			if (files.length >= mostFiles) break
			try {
				if (isFolder(entry)) inside.push(...(await contentsOf(entry)))
				else if (isFile(entry)) files.push(await fileOf(entry))
			} catch {
				failed.push(entry.name)
			}
		}
		level = inside
	}
	return firstFiles(files, failed, level.length > 0 || files.length >= mostFiles)
}

export function firstFiles(all: readonly File[], failed: readonly string[] = [], isCut = all.length > mostFiles): DroppedFiles {
	const files = all.slice(0, mostFiles)
	return {files, note: noteOf(files.length, failed, isCut)}
}

function noteOf(count: number, failed: readonly string[], isCut: boolean) {
	const notes = [
		...(count === 0 ? ['There is no file in what was dropped.'] : []),
		...(isCut ? [`Only the first ${count} files were added. Add the rest separately.`] : []),
		...(failed.length > 0 ? [`${failed.length} could not be read, such as ${failed[0]}; links are skipped.`] : [])
	]
	return notes.length === 0 ? null : notes.join(' ')
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
	return entry.isDirectory
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
	return entry.isFile
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
	return new Promise((resolve, reject) => entry.file(resolve, reject))
}

/** A reader returns entries in parts, and none at the end. */
async function contentsOf(folder: FileSystemDirectoryEntry) {
	const reader = folder.createReader()
	const found: FileSystemEntry[] = []
	for (;;) {
		const some = await new Promise<readonly FileSystemEntry[]>((resolve, reject) => {
			reader.readEntries(resolve, reject)
		})
		if (some.length === 0 || found.length > mostFiles) return found
		found.push(...some)
	}
}
