import {findCommand} from '#shared/commands/catalogue.ts'
import {checkOf, compensationOf, standingOf, titleOf, type HashChange} from './hash-change.ts'

const sha256 = 'ab'.repeat(32)
const added: HashChange = {
	kind: 'hash_added',
	connection: 'one',
	list: {guid: 'e4984c9b-651a-499e-a6fe-9ee938dab661', name: 'Known bad files'},
	sha256,
	note: 'Dropper, INC-7',
	at: '2026-01-02T03:04:05.000Z',
	entry: 'entry',
}
const removed: HashChange = {...added, kind: 'hash_removed'}
const item = {file_list_guid: added.list.guid, sha256}

test('an added hash is undone by removing it, a removed one by adding it with its old note', () => {
	expect(compensationOf(added)).toMatchObject({name: 'svc_delete_file_list_files_by_sha', args: item, rest: null})
	expect(compensationOf(removed)).toMatchObject({
		name: 'svc_set_file_list_files_by_sha',
		args: {...item, description: 'Dropper, INC-7'},
	})
	expect(compensationOf({...removed, note: ''}).args).toEqual(item)
	expect([titleOf(added), compensationOf(removed).act]).toEqual([
		'abababababab… added to Known bad files',
		'Add abababababab… to Known bad files again',
	])
})

test.each([added, removed])('$kind: check and compensation are commands of the catalogue', change => {
	for (const {name, args} of [checkOf(change), compensationOf(change)]) {
		const spec = findCommand(name)
		expect(Object.keys(args).every(key => key in (spec?.args ?? {}))).toBe(true)
	}
})

test.each([
	['still as it was added', added, {note: 'Dropper, INC-7'}, 'as_made'],
	['added, and gone since', added, null, 'undone'],
	['added anew with another note', added, {note: 'Somebody else'}, 'changed'],
	['added anew without a note', added, {note: ''}, 'changed'],
	['still removed', removed, null, 'as_made'],
	['removed, and there again', removed, {note: 'Dropper, INC-7'}, 'undone'],
] as const)('%s: %#', (_title, change, present, kind) => {
	expect(standingOf(change, present).kind).toBe(kind)
})
