import {copyForms} from './CopyItemDialog.tsx'

const sha256 = 'ab'.repeat(32)
const item = {
	sha256,
	description: '=cmd|x',
	source: 'Somebody',
	firstSeen: null,
	seen: {computers: 2, names: ['a_b.exe'], dispositions: ['Malicious']}
}

test('a hash is copied in forms that harm nobody', () => {
	const forms = copyForms(item, 'e4984c9b-651a-499e-a6fe-9ee938dab661', 'http://127.0.0.1/')
	const text = (id: string) => forms.find(form => form.id === id)?.text ?? ''
	expect(text('sha256')).toBe(sha256)
	expect(text('csv')).toContain(`${sha256},'=cmd|x,Somebody,,2,a_b.exe,Malicious`)
	expect(JSON.parse(text('json'))).toEqual(item)
	expect(text('markdown')).toContain('- Note: =cmd\\|x\n')
	expect(text('markdown')).not.toContain('First seen')
	expect(text('command')).toBe(`!svc_get_file_list_files_by_sha file_list_guid=e4984c9b-651a-499e-a6fe-9ee938dab661 sha256=${sha256}`)
	expect(text('link')).toBe(`http://127.0.0.1/#/file-lists/e4984c9b-651a-499e-a6fe-9ee938dab661/${sha256}`)
})

test('a hash of no list has an address, too', () => {
	const forms = copyForms(item, null, 'http://127.0.0.1/')
	expect(forms.at(-1)?.text).toBe(`http://127.0.0.1/#/file-lists/hash/${sha256}`)
	expect(forms.at(-2)?.text).toBe(`!svc_get_computer_activity q=${sha256}`)
})
