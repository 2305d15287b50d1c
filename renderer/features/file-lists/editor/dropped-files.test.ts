import {filesBelow, firstFiles} from './use-paste-and-drop.ts'

/** The used part of a browser's file and folder entries. */
function file(name: string): FileSystemEntry {
	const content = new File(['x'], name)
	return {name, isFile: true, isDirectory: false, file: (take: (file: File) => void) => take(content)} as never
}

function folder(name: string, inside: () => FileSystemEntry[]): FileSystemEntry {
	const createReader = () => {
		const batches = [inside().slice(0, 2), inside().slice(2)]
		return {readEntries: (take: (some: FileSystemEntry[]) => void) => take(batches.shift() ?? [])}
	}
	return {name, isFile: false, isDirectory: true, createReader} as never
}

function link(name: string): FileSystemEntry {
	const refuse = (_take: unknown, fail: (error: Error) => void) => fail(new Error('not found'))
	return {name, isFile: true, isDirectory: false, file: refuse} as never
}

test('files of folders in folders are found, read in batches', async () => {
	const inner = folder('inner', () => ['b', 'c', 'd'].map(file))
	const {files, note} = await filesBelow([file('a'), folder('outer', () => [inner, file('e')])])
	expect([files.map(({name}) => name).toSorted(), note]).toEqual([['a', 'b', 'c', 'd', 'e'], null])
})

test('a folder that holds itself comes to an end', async () => {
	const circle = folder('circle', () => [file('a'), circle])
	const {files, note} = await filesBelow([circle])
	expect(files.length).toBeLessThanOrEqual(1000)
	expect(note).toContain('Add the rest separately')
})

test('unreadable files are named, and an empty folder is reported', async () => {
	expect(await filesBelow([folder('f', () => [file('a'), link('b')])])).toMatchObject({
		files: [{name: 'a'}],
		note: '1 could not be read, such as b; links are skipped.'
	})
	expect((await filesBelow([folder('none', () => [])])).note).toBe('There is no file in what was dropped.')
})

test('of too many files, chosen or dropped, the first are taken and the note says so', () => {
	const files = Array.from({length: 1001}, () => new File([], 'a'))
	expect(firstFiles(files)).toMatchObject({files: {length: 1000}, note: expect.stringContaining('Only the first 1000')})
	expect(firstFiles(files.slice(1)).note).toBeNull()
})
