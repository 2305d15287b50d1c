import {verdictOf} from '#commands/compare/diff-line.ts'
import {xmlDiff} from './xml-settings.ts'

const policy = (serial: number, scan: string) => `<?xml version="1.0"?>
<policy guid="${serial}" serial="${serial}"><object><config>
  <scan mode="fast">${scan}</scan>
  <list id="a">One &amp; all</list><list id="b"/>
  <!-- <off/> --><proxy><![CDATA[ a<b ]]></proxy>
</config></object></policy>`

test('two policies are compared setting by setting, by the parts at which their trees branch', () => {
	const groups = xmlDiff(policy(1, '<size>50</size>'), policy(2, '<size>60</size><archive/>'))
	const told = groups.map(({title, lines}) => [title, lines.map(line => [verdictOf(line), line.title, line.a, line.b].join(', '))])
	expect(told).toEqual([
		['scan', ['same, scan @mode, fast, fast', 'differs, scan / size, 50, 60', 'differs, scan / archive, , present']],
		['list', ['same, list a, One & all, One & all', 'same, list b, present, present']],
		['config', ['same, proxy, a<b, a<b']]
	])
	expect(xmlDiff('no XML', '<a><b>')).toEqual([])
})
