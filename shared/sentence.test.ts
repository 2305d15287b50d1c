import {asSentence} from './sentence.ts'

test('what a service says ends with a full stop, once', () => {
	expect(['Unknown API key', 'It failed. ', 'Why?', ''].map(asSentence)).toEqual(['Unknown API key.', 'It failed.', 'Why?', ''])
})
