export const appId = 'dev.cordon.console'
export const debianArchitectures = {x64: 'amd64', arm64: 'arm64'}

/** The names of one package. Nobody vouches for a runtime from `ELECTRON_OVERRIDE_DIST_PATH`, so name and version say TEST. */
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
		stem: `${isTest ? 'cordon-TEST' : 'cordon'}-${version}`
	}
}
