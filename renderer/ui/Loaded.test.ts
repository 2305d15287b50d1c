import {renderToStaticMarkup} from 'react-dom/server'

import {CordonError} from '#contract/errors.ts'

import {Loaded} from './States.tsx'

interface Answer {
	data: string[] | null | undefined
	error: CordonError | null
}

const shown = (answer: Answer) =>
	renderToStaticMarkup(
		Loaded<string[] | null>({
			of: {...answer, refetch: () => {}},
			title: 'Could not load the keys',
			label: 'Loading keys',
			empty: 'No keys',
			children: keys => keys.join(', ')
		})
	)
const failure = new CordonError('reset', 'The host did not answer.')

test('says that there is none only when the host said so', () => {
	const waiting = shown({data: undefined, error: null})
	expect(waiting).toContain('aria-label="Loading keys"')
	expect(waiting).not.toContain('No keys')
	const failed = shown({data: undefined, error: failure})
	expect(failed).toMatch(/role="alert".*Could not load the keys.*The host did not answer\..*Try again/)
	expect(failed).not.toContain('No keys')
	expect(shown({data: [], error: null})).toBe('No keys')
	expect(shown({data: null, error: null})).toBe('No keys')
})

test('keeps an answer whose refresh failed', () => {
	expect(shown({data: ['a', 'b'], error: failure})).toBe('a, b')
})
