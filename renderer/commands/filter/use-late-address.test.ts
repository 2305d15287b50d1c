import {arrives} from './use-late-address.ts'

test('an address that was set here is no news, however late it is drawn; another one is', () => {
	const sent = ['', 'tag:a', '']
	expect(arrives(sent, 'tag:a')).toBe(true)
	expect(arrives(sent, '')).toBe(true)
	expect(arrives(sent, '')).toBe(true)
	expect(arrives(sent, 'tag:a')).toBe(false)
	expect(arrives(sent, 'tag:a')).toBe(true)
})

test('an address that was never drawn is overtaken by a later one', () => {
	const sent = ['', 'a', 'ab']
	expect(arrives(sent, 'ab')).toBe(true)
	expect(arrives(sent, 'a')).toBe(false)
})
