import {leanThread} from './lean-thread.ts'

// Its hooks, as the bundler calls them.
const plugin = leanThread('reader') as unknown as {
	transform(code: string, id: string): {code: string} | null
	generateBundle(options: object, bundle: object): void
	error(message: string): never
}
plugin.error = message => {
	throw new Error(message)
}

test('constants of the model can be left out, whole and with what is said beside them', () => {
	const code =
		'export const kinds = [1] // of them\nconst schema = z.object({\n\tkind: z.string()\n})\nexport function one() {\n\tconst two = 2\n}\n'
	const marked = '/* @__PURE__ */ (() => ('
	expect(plugin.transform(code, '/r/shared/model/x.ts')?.code).toBe(
		code.replace('[1] // of them\n', `${marked}[1] // of them\n))()\n`).replace('z.object({\n\tkind: z.string()\n})\n', `${marked}$&))()\n`)
	)
	expect(plugin.transform(code, '/r/electron/x.ts')).toBeNull()
})

test('zod in a thread that reads nothing fails the build', () => {
	const build = (name: string) =>
		plugin.generateBundle({}, {[name]: {type: 'chunk', name, fileName: `${name}.js`, moduleIds: ['/node_modules/zod/v4/x.js']}})
	expect(() => build('reader')).not.toThrow()
	expect(() => build('writer')).toThrow('writer.js')
})
