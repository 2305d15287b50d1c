import {readFileSync} from 'node:fs'
import {posix} from 'node:path'

import {layers, privileges, tests} from './table.mjs'

/** Pure decisions over the table; paths are relative to the checkout, with forward slashes. */

const {imports: aliases} = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
const longestFirst = layers.toSorted((a, b) => b.path.length - a.path.length)

function layerOf(path) {
	return longestFirst.find(layer => isWithin(path, layer.path))
}

/** Where a specifier leads: `{ path }` inside the checkout, or `{ name }` of a package. */
export function resolve(specifier, from) {
	const bare = specifier.split('?', 1)[0]
	for (const [alias, folder] of Object.entries(aliases)) {
		const start = alias.slice(0, -1)
		if (bare.startsWith(start)) return {path: posix.normalize(folder.replace('*', bare.slice(start.length)))}
	}
	if (bare.startsWith('.')) return {path: posix.normalize(posix.join(posix.dirname(from), bare))}
	if (bare.startsWith('node:')) return {name: bare}
	const parts = bare.split('/')
	return {name: bare.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0]}
}

/** Why `from` may not import `specifier`, or `undefined`. */
export function refuseImport(specifier, from) {
	const own = layerOf(from)
	if (own === undefined) return `${from} belongs to no layer of build/layer-rule/table.mjs.`
	const target = resolve(specifier, from)
	return target.name === undefined ? refusePath(target.path, from, own) : refusePackage(target.name, from, own)
}

function refusePath(path, from, own) {
	const layer = layerOf(path)
	if (layer === undefined) return `${path} belongs to no layer of build/layer-rule/table.mjs.`
	const allowed = isTest(from) ? [...own.imports, ...tests.imports] : own.imports
	if (allowed.some(name => matches(name, layer.name)) || (isTest(from) && layer === own)) return undefined
	if (allowed.includes('same folder') && layer === own) {
		return featureOf(path, own) === featureOf(from, own) ? undefined : `One feature may not import another: ${path}.`
	}
	return `Layer "${own.name}" may not import layer "${layer.name}" (${path}).`
}

function refusePackage(name, from, own) {
	const allowed = isTest(from) ? [...own.packages, ...tests.packages] : own.packages
	if (allowed.some(allow => matches(allow, name))) return refusePrivilege('package', name, from)
	return `Layer "${own.name}" may not import the package "${name}".`
}

/** Why `from` may not use a privileged name, or `undefined`. `source` is the module that it is imported from. */
export function refusePrivilege(kind, name, from, source) {
	const privilege = privileges.find(each => each.kind === kind && each.name === name && (each.from === undefined || each.from === source))
	if (privilege === undefined || isTest(from) || privilege.in.some(place => isWithin(from, place))) return undefined
	const where = privilege.in.length === 0 ? 'nowhere' : `only in ${privilege.in.join(', ')}`
	return `"${name}" may be used ${where}.`
}

function matches(allow, name) {
	return allow === name || (allow.endsWith('*') && name.startsWith(allow.slice(0, -1)))
}

function isWithin(path, place) {
	if (place === '') return !path.includes('/')
	return path === place || path.startsWith(`${place}/`)
}

/** Tests and their helpers. */
function isTest(path) {
	return /\.test\.tsx?$|\/testing(\/|\.ts$)/.test(path)
}

function featureOf(path, layer) {
	return path.slice(layer.path.length + 1).split('/', 1)[0]
}
