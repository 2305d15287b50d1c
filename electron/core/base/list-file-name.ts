/** A file list's name as part of a file's name that every file system takes. */
export function listFileName(name: string) {
	const plain = name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-+|-+$/g, '')
	return plain === '' ? 'file-list' : plain.slice(0, 80).toLowerCase()
}
