import {lintLine, nameToChoose, problemToChoose} from './line-lint.ts'

test('a name that is still being typed is not wrong yet', () => {
	expect(lintLine('svc_get_comp', false)).toEqual([])
	expect(lintLine('svc_get_comp ', false)).toHaveLength(1)
})

test('a value is judged when the next one is begun, and what is missing when the line was tried', () => {
	expect(lintLine('svc_get_computers limit=ten', false)).toEqual([])
	expect(lintLine('svc_get_computers limit=ten ', false)[0]).toMatchObject({field: 'limit', from: 18, to: 27})
	expect(lintLine('svc_get_computer_by_connector ', false)).toEqual([])
	expect(lintLine('svc_get_computer_by_connector ', true)[0]).toMatchObject({field: 'connector_guid', missing: true})
})

test('help and an empty line are never wrong', () => {
	expect(lintLine('help svc_get_version', true)).toEqual([])
	expect(lintLine('  ', true)).toEqual([])
})

test('a name in place of an id is something to choose from; a wrong number or a missing id is not', () => {
	expect(problemToChoose('svc_get_computer_by_connector FIN-')).toMatchObject({field: 'connector_guid', to: 34})
	expect(problemToChoose('svc_get_computer_by_connector connector_guid=FIN-')).toMatchObject({to: 49})
	expect(nameToChoose('svc_get_computer_by_connector connector_guid=FIN-')).toBe('FIN-')
	expect(problemToChoose('svc_get_computers limit=ten')).toBeNull()
	expect(problemToChoose('svc_get_computer_by_connector')).toBeNull()
})
