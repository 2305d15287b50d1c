import {computerIn, hasComputer, putComputer} from './drag.ts'

function transfer() {
	const data = new Map<string, string>()
	const fake = {
		effectAllowed: 'none',
		setData: (type: string, text: string) => void data.set(type, text),
		getData: (type: string) => data.get(type) ?? '',
		get types() {
			return [...data.keys()]
		}
	}
	return fake as unknown as DataTransfer // the used part
}

test('the dragged computer is the dropped one', () => {
	const given = transfer()
	putComputer({guid: 'a', hostname: 'FIN-LT-0231'}, given)
	expect(hasComputer(given)).toBe(true)
	expect(computerIn(given)).toEqual({guid: 'a', hostname: 'FIN-LT-0231'})
})

test('a file or a text is no computer', () => {
	const given = transfer()
	given.setData('text/plain', '{"guid":"a","hostname":"b"}')
	expect(hasComputer(given)).toBe(false)
	expect(computerIn(given)).toBeNull()
	for (const text of ['null', '5', '{"guid":"a"}']) expect(computerIn({getData: () => text})).toBeNull()
})
