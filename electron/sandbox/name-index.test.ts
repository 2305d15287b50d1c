import fc from 'fast-check'

import {createNameIndex} from './fleet.ts'
import {generateTenant} from './tenant/tenant.ts'

const {hosts} = generateTenant('names', 400)
const named = createNameIndex(hosts)

test('finds what looking at each name finds, in the same order', () => {
	const part = fc.oneof(fc.constantFrom('FIN', 'lt-0', '-srv-', 'macbook', '端', '7', 'zoë'), fc.string({minLength: 1, maxLength: 3}))
	fc.assert(
		fc.property(fc.array(part, {minLength: 1, maxLength: 3}), parts => {
			const expected = hosts.filter(({lowerName}) => parts.some(text => lowerName.includes(text.toLowerCase())))
			expect(named(parts)).toEqual(expected)
		})
	)
})
