import {ghostOf} from './use-line-editor.ts'

const earlier = ['svc_get_computers limit=5', 'svc_get_groups limit=3', 'svc_get_groups']

test('the newest line that begins so goes on behind what is typed', () => {
	expect(ghostOf('svc_get_', earlier)).toBe('computers limit=5')
	expect(ghostOf('svc_get_groups', earlier)).toBe(' limit=3')
})

test('nothing stands behind an empty line, a whole one, or one that is new', () => {
	expect(ghostOf(' ', earlier)).toBe('')
	expect(ghostOf('svc_get_groups limit=3', earlier)).toBe('')
	expect(ghostOf('svc_put', earlier)).toBe('')
})
