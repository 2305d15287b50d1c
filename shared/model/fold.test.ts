import {fold} from './fold.ts'

it('makes one text of two spellings of the same letters', () => {
	expect(fold('Zu\u0308rich-DC')).toBe(fold('Z\u00FCRICH-dc'))
})

it('keeps letters apart that differ by an accent', () => {
	expect(fold('Zurich')).not.toBe(fold('Z\u00FCrich'))
})
