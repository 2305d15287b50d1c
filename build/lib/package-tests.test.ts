import {whyNoPackageProof} from './package-tests.mjs'

const asked = {CORDON_PACKAGE: 'required', CORDON_DESKTOP_USER: 'somebody'}

test('the package is installed on this system only on request, as root, with a user to start it', () => {
	const system = {environment: asked, platform: 'linux' as const, uid: 0}
	expect(whyNoPackageProof(system)).toBeUndefined()
	expect(whyNoPackageProof({...system, environment: {}})).toContain('CORDON_PACKAGE=required')
	expect(whyNoPackageProof({...system, uid: 1000})).toContain('as root')
	expect(whyNoPackageProof({...system, environment: {CORDON_PACKAGE: 'required'}})).toContain('CORDON_DESKTOP_USER')
})
