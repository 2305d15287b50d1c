import {parseKept, roomIn, withRoom} from './Attention.tsx'

const room = {lines: 5, height: 152, width: 1280}

test('the next time begins with as many lines as were there, and as high in a window of the same width', () => {
	const kept = withRoom([], 'acme', room)
	expect(roomIn(kept, 'acme', 1280)).toEqual({lines: 5, height: 152})
	expect(roomIn(kept, 'acme', 800)).toEqual({lines: 5, height: null})
	expect(roomIn(kept, 'other', 1280)).toEqual({lines: 3, height: null})
})

test('of each connection the last is kept, and of many connections those that were shown last', () => {
	const two = withRoom(withRoom([], 'acme', room), 'acme', {...room, lines: 1})
	expect(two).toEqual([['acme', {...room, lines: 1}]])
	const many = Array.from({length: 30}, (_, index) => String(index)).reduce((kept, id) => withRoom(kept, id, room), two)
	expect(many).toHaveLength(20)
	expect(many.at(-1)?.[0]).toBe('29')
})

test.each([null, '', '{', '{}', '[["acme",{"lines":-1,"height":1,"width":1}]]'])('%j in the storage is ignored', text => {
	expect(parseKept(text)).toEqual([])
})
