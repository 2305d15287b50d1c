import type {Trajectory} from '#contract/insight.ts'

import type {ChartTheme} from '#ui/chart/theme.ts'
import {layOut} from './layout.ts'
import type {Pen} from './marks.ts'
import {paintFile, sizeOfFile} from './paint-file.ts'

const tones = {bad: '#b00', warn: '#a60', accent: '#06c', ok: '#080', hold: '#609', dim: '#777', faint: '#ccc'}
const inks = {ink: '#111', ink2: '#444', ink3: '#777', line: '#ddd', panel: '#fff', sunken: '#eee', focus: '#06c'}
const theme: ChartTheme = {...inks, tones, font: 'sans-serif', onTone: '#fff', isForced: false, isPatterned: false}

const at = '2026-01-31T14:00:00.000Z'
const trajectory: Trajectory = {
	...{guid: 'g', hostname: 'H', query: '', readAt: at, cut: true, oldest: at, unknown: []},
	lanes: [{id: 'a', label: 'a.exe', names: [], disposition: 'malicious', events: 1, keeps: true}],
	points: [
		{
			...{
				index: 0,
				at,
				nanoseconds: 0,
				lane: 'a',
				parent: null,
				parentName: null,
				remote: null,
				mitre: [],
				shape: 'execute',
				disposition: 'malicious'
			},
			...{text: 'a.exe was started', type: 'Executed by', severity: 'none', detectionId: null},
			...{id: null, sha256: null}
		}
	]
}

test('the file has a ground of its own below everything, its extent in words, and what the signs mean', () => {
	const layout = layOut(trajectory, {hideClean: false, name: ''})
	const {pen, calls} = recorder()
	const picture = {layout, span: layout.span, theme, zone: 'utc', extent: 'The newest 1 event.', marked: [0]} as const
	paintFile(pen, picture, 'H')
	const {width, height} = sizeOfFile(layout)
	// Nothing is cleared after it, and it is painted below the rest.
	expect(calls.at(-1)).toEqual(['fillRect', '#fff', 'destination-over', 0, 0, width, height])
	const told = calls.filter(([name]) => name === 'fillText').map(call => call[3])
	expect(told).toEqual(
		expect.arrayContaining([
			'Trajectory of H',
			'▶ executed',
			'● malicious',
			expect.stringMatching(/^The newest 1 event\. Shown: 2026-01-31 13:59:59 UTC to/)
		])
	)
})

type Call = [name: string, style: unknown, composite: unknown, ...rest: unknown[]]

function recorder() {
	const calls: Call[] = []
	const state: Record<string, unknown> = {globalCompositeOperation: 'source-over'}
	const pen = new Proxy(state, {
		get: (target, name: string) => {
			if (name in target) return target[name]
			if (name === 'measureText') return (text: string) => ({width: text.length * 6})
			return (...given: unknown[]) => void calls.push([name, target['fillStyle'], target['globalCompositeOperation'], ...given])
		}
	})
	return {pen: pen as unknown as Pen, calls}
}
