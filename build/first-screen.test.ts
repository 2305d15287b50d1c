import {firstScreenGroup, windowStartGroups} from './first-screen.ts'

const main = '/r/renderer/app/main.ts'
const start = '/r/renderer/app/start.tsx'
const screen = '/r/renderer/features/computers/ComputersScreen.tsx'
const drawer = '/r/renderer/commands/Drawer.tsx'

/** Static imports of each module. */
const imports: Readonly<Record<string, string[]>> = {
	[main]: ['zod'],
	[start]: ['router', 'zod'],
	[screen]: ['table'],
	[drawer]: ['table'],
	zod: [],
	router: [start],
	table: ['rows'],
	rows: [],
	chart: []
}

function membersOf({name}: ReturnType<typeof firstScreenGroup>, graph: Readonly<Record<string, string[]>>) {
	if (typeof name !== 'function') throw new TypeError('the group has one name for all')
	const getModuleInfo = (id: string) => (graph[id] === undefined ? null : {importedIds: graph[id]})
	return Object.keys(graph).filter(id => name(id, {getModuleInfo} as unknown as Parameters<typeof name>[1]) !== null)
}

test('the first screen is what its parts import, without what runs before them', () => {
	expect(membersOf(firstScreenGroup('/r/'), imports)).toEqual([start, screen, drawer, 'router', 'table', 'rows'])
})

test('a part that was moved fails the build and is named', () => {
	const {[drawer]: _moved, ...rest} = imports
	expect(() => membersOf(firstScreenGroup('/r/'), rest)).toThrow(`A part of the start is not there: ${drawer}`)
})

test('the window starts from two files: one before it opens, one while its page starts', () => {
	const graph: Record<string, string[]> = {
		'/r/electron/program.ts': ['/r/log.ts'],
		'/r/electron/application.ts': ['/r/log.ts', '/r/app.ts'],
		'/r/log.ts': [],
		'/r/app.ts': []
	}
	const [program, application] = windowStartGroups('/r/').map(group => membersOf(group, graph))
	expect(program).toEqual(['/r/electron/program.ts', '/r/log.ts'])
	expect(application).toEqual(['/r/electron/application.ts', '/r/app.ts'])
})
