import {closeAll} from './stop.ts'

test('what was opened last is closed first, and a failure keeps nothing else open', async () => {
	const closed: string[] = []
	const close = (name: string) => {
		if (closed.push(name) === 2) throw new Error('stuck')
	}
	expect(await closeAll(['lock', 'server', 'page'].map(name => ({name, close: () => close(name)})))).toEqual(['server: stuck'])
	expect(closed).toEqual(['page', 'server', 'lock'])
})
