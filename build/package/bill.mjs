/** npm's software bill of materials with the two runtimes, and a page of their licences. */
import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'

import {npm} from '../lib/install.mjs'
import {at} from '../lib/paths.mjs'

/** CycloneDX, from the lockfile: only bundled packages, and the runtimes that npm does not list. */
export function billOf({electronVersion, nodeVersion, facts}) {
	const args = ['sbom', '--omit=dev', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application']
	const {ok, output} = npm(args, true)
	const begin = output.indexOf('{')
	if (!ok || begin < 0) throw new Error(`npm sbom failed.\n${output}`)
	const bill = JSON.parse(output.slice(begin, output.lastIndexOf('}') + 1))
	const runtimes = [
		runtime('electron', electronVersion, 'MIT', facts.isTest ? 'A runtime for tests: nobody vouches for it.' : undefined),
		runtime('node', nodeVersion, 'MIT', undefined)
	]
	const listed = bill.components ?? []
	const lock = JSON.parse(readFileSync(at('package-lock.json'), 'utf8'))
	return {...bill, components: [...listed, ...leftOut(lock, listed), ...runtimes]}
}

/** npm (seen in version 11) leaves out packages that the tests need as well; the lockfile has them all. */
export function leftOut({packages}, components) {
	const listed = new Set(components.map(({name, version}) => `${name}@${version}`))
	return Object.entries(packages)
		.filter(([path, {dev, devOptional, optional}]) => path !== '' && ![dev, devOptional, optional].includes(true))
		.map(([path, {version, license}]) => ({name: path.slice(path.lastIndexOf('node_modules/') + 13), version, license}))
		.filter(({name, version}) => !listed.has(`${name}@${version}`))
		.map(({name, version, license}) => ({
			'bom-ref': `${name}@${version}`,
			type: 'library',
			name,
			version,
			scope: 'required',
			purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
			licenses: license === undefined ? [] : [{expression: license}]
		}))
}

function runtime(name, version, licence, description) {
	return {
		'bom-ref': `${name}@${version}`,
		type: 'framework',
		name,
		version,
		scope: 'required',
		...(description === undefined ? {} : {description}),
		licenses: [{license: {id: licence}}]
	}
}

/** The licences of Electron and Chromium lie beside this page as files of their own. */
export function licencesPage(bill, facts) {
	const parts = bill.components
		.toSorted((a, b) => a.name.localeCompare(b.name))
		.map(part => {
			const kind = (part.licenses ?? []).map(({license, expression}) => expression ?? license?.id ?? license?.name)
			const text = licenceText(part.name)
			return `<details><summary>${escape(part.name)} ${escape(part.version)}: ${escape(kind.join(', ') || 'see its text')}</summary>
<pre>${escape(text ?? elsewhere(part))}</pre></details>`
		})
	return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Licences of ${facts.title}</title>
<style>body{font:15px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}pre{white-space:pre-wrap}</style>
<h1>Licences of ${facts.title} ${facts.version}</h1>
<p>Cordon is under the MIT licence. It contains these parts. Electron and Chromium: LICENSE.electron.txt and LICENSES.chromium.html in the same folder.</p>
${parts.join('\n')}
</html>
`
}

/** npm's package of Node holds the program alone. */
function elsewhere({name, version}) {
	if (name === 'node') return `https://github.com/nodejs/node/blob/v${version}/LICENSE`
	if (name === 'electron') return 'LICENSE.electron.txt and LICENSES.chromium.html in the same folder'
	return 'The package brings no file with its licence.'
}

function licenceText(name) {
	const folder = at('node_modules', ...name.split('/'))
	if (!existsSync(folder)) return undefined
	const file = readdirSync(folder).find(entry => /^(licen[cs]e|copying)/i.test(entry))
	return file === undefined ? undefined : readFileSync(join(folder, file), 'utf8')
}

function escape(text) {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
