/** What a package is called and holds, as pure facts. */
export const appId = 'dev.cordon.console'
export const debianArchitectures = {x64: 'amd64', arm64: 'arm64'}

/**
 * The names of one package. Built from the folder in `ELECTRON_OVERRIDE_DIST_PATH`, nobody vouches for the runtime in
 * it: name and version say TEST, so that such a package is never taken for a release.
 */
export function factsOf({version, description, isTest, arch = process.arch, date}) {
	const name = isTest ? 'cordon-test' : 'cordon'
	return {
		name,
		title: isTest ? 'Cordon TEST' : 'Cordon',
		description,
		isTest,
		arch,
		date,
		version: isTest ? `${version}-TEST` : version,
		// A tilde sorts before the release.
		debianVersion: isTest ? `${version}~TEST` : version,
		stem: `${isTest ? 'cordon-TEST' : 'cordon'}-${version}`,
	}
}
