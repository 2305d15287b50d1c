import fc from 'fast-check'
import {joinWords, splitWords} from './command-words.ts'

test('blanks separate words, quotes keep them together', () => {
	expect(splitWords(`python3 -m  http.server --directory "/srv/my files" ''`)).toEqual([
		'python3',
		'-m',
		'http.server',
		'--directory',
		'/srv/my files',
		''
	])
	expect(splitWords('say "it')).toBeNull()
})

test('what is joined is split into the same words, and quoted where it has to be', () => {
	expect(joinWords(['python3', '-m', 'a b'])).toBe('python3 -m "a b"')
	fc.assert(
		fc.property(fc.array(fc.string(), {minLength: 1}), words => {
			expect(splitWords(joinWords(words))).toEqual(words)
		})
	)
})
