import {expect, test, vi} from 'vitest'
import {z} from 'zod'

import {searchOf} from './search-of.ts'

test('the parts of an address are made when it is first read, once', () => {
	const text = z.string()
	const made = vi.spyOn(text, 'optional')
	const search = searchOf({text, page: z.number()})
	expect(made).not.toHaveBeenCalled()
	expect(search.parse({text: 'a', page: 'b', other: 1})).toEqual({text: 'a', page: undefined})
	expect(search.parse({})).toEqual({})
	expect(search.extend({more: z.string()}).parse({text: 'a', more: 'b'})).toEqual({text: 'a', more: 'b'})
	expect(made).toHaveBeenCalledOnce()
})
