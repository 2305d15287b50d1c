import {exposureSentence, exposureSource, formatRate, trafficWords} from './words.ts'

test('says where the exposure comes from', () => {
	expect(exposureSource({exposed: false, key: null})).toBe('nothing set')
	expect(exposureSource({exposed: true, key: 'instance.execute.external'})).toBe('default')
	expect(exposureSource({exposed: false, key: 'instance.execute.external.edl'})).toBe('override')
	expect(exposureSentence({exposed: false, key: null}, 'edl')).toContain('instance.execute.external.edl')
})

test('rates are short', () => {
	expect([0, 0.01, 0.3, 2, 12.4, 1240].map(formatRate)).toEqual(['0', '<0.1', '0.3', '2', '12', '1,240'])
})

test('one request and one error are singular', () => {
	expect(trafficWords({total: 1, failures: 1})).toBe('1 request, 1 error')
	expect(trafficWords({total: 1200, failures: 0})).toBe('1,200 requests, 0 errors')
})
