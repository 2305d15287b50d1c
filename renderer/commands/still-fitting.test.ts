import {stillFitting} from './use-completion.ts'

const before = [
	{value: '0ca8023e-ae78-4811-a6f6-a8301cbaa624', label: 'FIN-LT-0003 · Finance Laptops'},
	{value: 'a47f87c3-8d83-4798-b503-4e794c0b1bdf', label: 'FIN-LT-0231 · Finance Laptops'}
]

test('earlier results that no longer match the typed text cannot be chosen, by name or by id', () => {
	expect(stillFitting(before, 'fin-lt-02')).toEqual([before[1]])
	expect(stillFitting(before, '0CA8')).toEqual([before[0]])
	expect(stillFitting(before, 'fin')).toEqual(before)
	expect(stillFitting(before, 'hr-')).toEqual([])
})

test('without an earlier answer there is nothing', () => {
	expect(stillFitting(undefined, '')).toBeUndefined()
})
