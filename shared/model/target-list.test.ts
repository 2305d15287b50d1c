import {targetsIn} from './target-list.ts'

test('targets come from lines, CSV and JSON lines', () => {
	expect(targetsIn('﻿# a comment\n\n a \n"b ""c""",x\nd;y\n')).toEqual(['a', 'b "c"', 'd'])
	expect(targetsIn('hostname,guid\nfin-1,abc\n')).toEqual(['fin-1'])
	expect(targetsIn('{"connector_guid":"abc","hostname":"x"}\n{"id":"def"}\n')).toEqual(['abc', 'def'])
})
