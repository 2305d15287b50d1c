import {chartTable} from './Chart.tsx'

test('the table of a small chart has every step with its time, and no value stays empty', () => {
	const file = chartTable({
		...{title: 'Time to first byte', summary: '', fileName: 'first-byte', from: '2026-01-31T14:00:00.000Z', stepS: 10},
		...{format: String, empty: 'nothing'},
		series: [
			{name: 'median', values: [12, null], form: 'line', tone: 'accent', fold: 'max'},
			{name: 'p99', values: [40.5, 0], form: 'line', tone: 'dim', fold: 'max'},
		],
	})
	expect(file.name).toBe('first-byte.csv')
	expect(file.text.trim().split(/\r?\n/)).toEqual([
		'from,median,p99',
		'2026-01-31T14:00:00.000Z,12,40.5',
		'2026-01-31T14:00:10.000Z,,0',
	])
})
