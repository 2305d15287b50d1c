import {requireLine} from '#shared/commands/parse.ts'

import {keptLine, shownLine} from './masked.ts'

const line = 'svc_put_computers_isolation connector_guid=d7fbcdb6-0a14-4e39-867e-02f5e1649497 unlock_code=hunter2 comment="a b"'

test('an unlock code is never shown', () => {
	const {spec, args} = requireLine(line)
	expect(shownLine(spec, args)).toBe(
		'svc_put_computers_isolation connector_guid=d7fbcdb6-0a14-4e39-867e-02f5e1649497 unlock_code=•••••• comment="a b"'
	)
})

test('an unlock code is not kept in the history', () => {
	const {spec, args} = requireLine(line)
	expect(keptLine(spec, args)).toBe('svc_put_computers_isolation connector_guid=d7fbcdb6-0a14-4e39-867e-02f5e1649497 comment="a b"')
})
