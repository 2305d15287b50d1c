import {leanThread} from './lean-thread.ts'

function transformed(code: string, id = '/r/shared/model/x.ts') {
	const {transform} = leanThread('reader')
	if (typeof transform !== 'function') throw new TypeError('no function')
	return (transform as unknown as (code: string, id: string) => {code: string} | null)(code, id)?.code
}

test('constants of the model can be left out, whole and with what is said beside them', async () => {
	const code = `import {z} from 'zod'\n\nexport const kinds = ['a', 'b'] // of them\nexport const schema = z.object({\n\tkind: z.string().nullish()\n})\nexport function one() {\n\tconst two = 2\n\treturn two\n}\n`
	const marked = '/* @__PURE__ */ (() => ('
	expect(transformed(code)).toBe(
		`import {z} from 'zod'\n\nexport const kinds = ${marked}['a', 'b'] // of them\n))()\nexport const schema = ${marked}z.object({\n\tkind: z.string().nullish()\n})\n))()\nexport function one() {\n\tconst two = 2\n\treturn two\n}\n`
	)
	expect(transformed(code, '/r/electron/x.ts')).toBeUndefined()
})

test('zod in a thread that reads nothing fails the build', () => {
	const part = (name: string, id: string) => ({[name]: {type: 'chunk', name, fileName: `${name}.js`, moduleIds: [id]}})
	const {generateBundle} = leanThread('reader')
	if (typeof generateBundle !== 'function') throw new TypeError('no function')
	const build = (parts: object) => {
		const error = (message: string) => {
			throw new Error(message)
		}
		;(generateBundle as (options: object, bundle: object) => void).call({error} as never, {}, parts)
	}
	expect(() => build({...part('reader', '/n/zod/v4/x.js'), ...part('writer', '/r/a.ts')})).not.toThrow()
	expect(() => build(part('writer', '/n/zod/v4/x.js'))).toThrow('writer.js')
})
