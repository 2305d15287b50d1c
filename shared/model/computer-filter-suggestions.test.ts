import {computerFilterSuggestions} from './computer-filter.ts'

function at(textWithCaret: string) {
	const caret = textWithCaret.indexOf('|')
	const text = textWithCaret.replace('|', '')
	const {from, to, items, ask, insertOf} = computerFilterSuggestions(text, caret)
	return {items: items.map(item => item.insert), replaced: text.slice(from, to), ask, insertOf}
}

test('an empty line offers every field', () => {
	expect(at('|').items).toContain('group:')
	expect(at('os:x |').items).toContain('last_seen<')
})

test('the beginning of a field offers what it can become, by its other names too', () => {
	expect(at('-gr|')).toMatchObject({items: ['group:'], replaced: 'gr'})
	expect(at('host|').items).toEqual(['name:'])
})

test('behind the operator come the values', () => {
	expect(at('compromised:|').items).toEqual(['yes', 'no'])
	expect(at('isolation:pend|').items).toEqual(['pending_start', 'pending_stop', 'pending*'])
	expect(at('isolation:isolated,rel|')).toMatchObject({items: ['pending_stop'], replaced: 'rel'})
	expect(at('last_seen<|').items).toContain('7d')
})

test('values known only to local data are requested', () => {
	expect(at('group:"Finance S|').ask).toEqual({source: 'group', prefix: 'Finance S', take: 'label'})
	expect(at('group:"Finance S|').replaced).toBe('"Finance S')
	expect(at('os:a group:x,"Fin, a|').replaced).toBe('"Fin, a')
	expect(at('name:FI|').ask).toEqual({source: 'hostname', prefix: 'FI', take: 'value'})
})

test('a value of the local copy is quoted where it must be', () => {
	expect(at('group:|').insertOf('Finance "A"')).toBe(String.raw`"Finance \"A\""`)
	expect(at('group:|').insertOf('Finance')).toBe('Finance')
})
