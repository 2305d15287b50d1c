import {counted, formatBytes, formatCount, formatShare, formOf, listed} from './numbers.ts'
import {nouns} from './terms.ts'

test('one is singular, every other number plural', () => {
	expect([0, 1, 2, 1204].map(count => counted(count, nouns.hash))).toEqual(['0 hashes', '1 hash', '2 hashes', '1,204 hashes'])
	expect([1, 2].map(count => formOf(count, ['is', 'are']))).toEqual(['is', 'are'])
	expect(counted(1.5, nouns.hour)).toBe('1.5 hours')
})

test('thousands are parted by commas', () => {
	expect([0, 999, 18_240, 1_000_000].map(formatCount)).toEqual(['0', '999', '18,240', '1,000,000'])
})

test('a share is rounded, but some is never none and most is never all', () => {
	expect([0, 0.001, 0.05, 0.2, 0.995, 1].map(formatShare)).toEqual(['0%', '<1%', '5%', '20%', '>99%', '100%'])
})

test('sizes are decimal, short, and carry over into the next unit', () => {
	expect([0, 512, 999, 1000, 4096, 65_536, 999_499, 999_700, 3_400_000].map(formatBytes)).toEqual([
		'0 B',
		'512 B',
		'999 B',
		'1 kB',
		'4.1 kB',
		'66 kB',
		'999 kB',
		'1 MB',
		'3.4 MB'
	])
	expect([9_960_000, 10_000_000_000, 5e15].map(formatBytes)).toEqual(['10 MB', '10 GB', '5,000 TB'])
})

test('what is listed ends with "and"', () => {
	expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map(listed)).toEqual(['', 'a', 'a and b', 'a, b and c'])
})
