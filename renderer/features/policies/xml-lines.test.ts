import {findLines, foldsAround, shownLines, xmlLines} from './XmlView.tsx'

const text = `<?xml version="1.0"?>
<policy a="1 > 0">
  <name>Protect</name>
  <lists><list id="1"/><list id="2"></list></lists>
  <!-- <not> a tag -->
  <script><![CDATA[ if (a < b) ]]></script>
</policy>`
const lines = xmlLines(text)
const drawn = (folded: ReadonlySet<number>) =>
	shownLines(lines, folded).map(index => `${' '.repeat(lines[index]?.level ?? 0)}${lines[index]?.text ?? ''}`)

test('each tag has its line, with short contents beside it', () => {
	expect(drawn(new Set())).toEqual([
		'<?xml version="1.0"?>',
		'<policy a="1 > 0">',
		' <name>Protect</name>',
		' <lists>',
		'  <list id="1"/>',
		'  <list id="2"></list>',
		' </lists>',
		' <!-- <not> a tag -->',
		' <script>',
		'  <![CDATA[ if (a < b) ]]>',
		' </script>',
		'</policy>'
	])
})

test('a folded tag hides what is inside with its end', () => {
	expect(drawn(new Set([3]))).toHaveLength(9)
	expect(drawn(new Set([1, 3]))).toEqual(['<?xml version="1.0"?>', '<policy a="1 > 0">'])
})

test('a text is found whatever its case, and what hides it is known', () => {
	expect(findLines(lines, 'ID="2"')).toEqual([5])
	expect(findLines(lines, ' ')).toEqual([])
	expect(foldsAround(lines, new Set([1, 3, 8]), 5)).toEqual([1, 3])
})

test('what is no XML comes out as it is, without an end or an error', () => {
	expect(xmlLines('</a><b><c>').map(line => line.text)).toEqual(['</a>', '<b>', '<c>'])
	expect(xmlLines('a < b').map(line => line.text)).toEqual(['a', '<', 'b'])
	expect(xmlLines('')).toEqual([])
})

test('a deep nesting needs no stack', () => {
	expect(xmlLines('<a>'.repeat(20_000) + 'x' + '</a>'.repeat(20_000)).length).toBeGreaterThan(20_000)
})
