import {createElement} from 'react'
import {renderToStaticMarkup} from 'react-dom/server'

import {jsx, jsxs} from './jsx-runtime.ts'

const deceiving = 'evil\u202egnp.exe'
const Button = ({children}: {children: string}) => createElement('button', null, children)

test.each([
	['alone', jsx('b', {children: deceiving}), '<b>evil‹U+202E›gnp.exe</b>'],
	[
		'in a sentence, handed on by a component of somebody else',
		jsx(Button, {children: `Block ${deceiving}`}),
		'<button>Block evil‹U+202E›gnp.exe</button>'
	],
	['as a label', jsx('i', {title: deceiving, 'aria-label': '\u2067a'}), '<i title="evil‹U+202E›gnp.exe" aria-label="‹U+2067›a"></i>'],
	[
		'from right to left, between others',
		jsxs('b', {children: ['Isolate ', 'שלום עולם-12.exe', 3]}),
		'<b>Isolate <bdi>שלום עולם</bdi>-12.exe3</b>'
	],
	['in an option', jsx('option', {children: 'שלום'}), '<option>שלום</option>'],
	['plain', jsx('pre', {children: 'Zürich\u00a0–\n\t3\u202f000'}), '<pre>Zürich\u00a0–\n\t3\u202f000</pre>'],
	['what is typed stays', jsx('input', {value: deceiving, readOnly: true}), `<input readOnly="" value="${deceiving}"/>`]
])('%s', (_where, element, html) => expect(renderToStaticMarkup(element)).toBe(html))
