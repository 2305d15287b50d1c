import {fifths, judge, slowdown, type Course} from './verdict.ts'

const course = (value: (at: number) => number): Course => ({
	name: 'memory',
	unit: 'MB',
	samples: Array.from({length: 101}, (_none, index) => ({at: index / 100, value: value(index / 100)})),
	most: begin => begin + 50,
	bound: '50 MB more'
})

test('memory that grows at first and then stays is fine', () => {
	const {table, broken} = judge([course(at => (at < 0.15 ? 100 : 400))])
	expect(broken).toEqual([])
	expect(table).toContain('| memory | 400 MB | 400 MB | 50 MB more |')
})

test('memory that keeps growing is reported', () => {
	expect(judge([course(at => 400 + at * 200)]).broken).toEqual(['memory: 460 became 580 MB; 50 MB more is allowed.'])
})

test('single peaks are no growth', () => {
	expect(judge([course(at => (Math.round(at * 100) % 10 === 0 ? 900 : 400))]).broken).toEqual([])
})

test('a figure that was never measured does not pass', () => {
	expect(judge([{...course(() => 1), samples: [{at: 0.3, value: 1}]}]).broken).toEqual(['memory: it was not measured.'])
})

test('a busy machine is told apart from a program that slows down', () => {
	expect(slowdown(course(at => (at > 0.5 ? 60 : 20)).samples)).toBe(3)
	expect(slowdown(course(at => (at > 0.5 ? 20 : 60)).samples)).toBe(1)
	expect(slowdown([])).toBe(1)
})

test('a step and growth without end look different', () => {
	expect(fifths(course(at => (at < 0.5 ? 100 : 200)).samples)).toEqual([100, 100, 200, 200, 200])
	expect(fifths(course(at => at * 100).samples)).toEqual([10, 30, 50, 70, 90])
})
