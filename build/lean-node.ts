/**
 * Modules that the Node side would load and never use. Each costs the start of the command line more than its own code does:
 * an ESM import of `node:http` reads all its exports, and `WebSocket` among them loads undici (20 ms); so do `diff` of
 * `node:util`, `promises` of `node:fs` and `rootCertificates` of `node:tls` (5 ms each). axios does the same through its fetch
 * adapter and the global `FormData`, and adds form-data and http2. The client uses only axios's http adapter, without proxies
 * and multipart bodies (`electron/core/service/api/client.ts`). Where axios is expected, a replacement that finds nothing fails
 * the build, so that somebody checks each new version of it.
 */
import {createRequire} from 'node:module'

import type {Plugin} from 'vite'

const require = createRequire(import.meta.url)
const prefix = '\0lean:'

/** Packages that axios imports. */
const packages: Readonly<Record<string, string>> = {
	'https-proxy-agent': 'export default class HttpsProxyAgent {}',
	'proxy-from-env': "export const getProxyForUrl = () => '';"
}

/** Files of axios, by the end of their path. */
const files: Readonly<Record<string, string>> = {
	'axios/lib/adapters/fetch.js': 'export const getFetch = () => {};\nexport default undefined;',
	'axios/lib/platform/node/classes/FormData.js': 'export default class FormData {}'
}

/** Built-in modules that are read without their getters. */
const plain: ReadonlySet<string> = new Set(['http', 'https', 'fs', 'tls', 'util'])

/** Nothing goes to or comes from a page as a form, and asking for the class loads undici before the first answer. */
const form = /[\w.]+ instanceof FormData/g
const rpc = /\/@orpc\/(?:client|standard-server-peer)\//

const utils = 'axios/lib/utils.js'
const globalFormData = "typeof G.FormData !== 'undefined' ? G.FormData : undefined"

export function leanNode({hasClient}: {hasClient: boolean}): Plugin {
	const wanted = new Set(hasClient ? [...Object.keys(packages), ...Object.keys(files), utils, 'FormData of @orpc'] : [])
	return {
		name: 'lean-node',
		enforce: 'pre',
		resolveId(id, importer) {
			const name = id.replace(/^node:/, '')
			if (plain.has(name)) return prefix + name
			if (importer?.includes('/axios/') !== true) return null
			if (name === 'http2') return prefix + name
			return wanted.delete(id) || Object.hasOwn(packages, id) ? prefix + id : null
		},
		load(id) {
			if (id.startsWith(prefix)) return moduleText(id.slice(prefix.length))
			const file = Object.keys(files).find(path => isFile(id, path))
			if (file === undefined) return null
			wanted.delete(file)
			return files[file]
		},
		transform(code, id) {
			if (rpc.test(id.replaceAll('\\', '/')) && code.includes('instanceof FormData')) {
				wanted.delete('FormData of @orpc')
				return {code: code.replaceAll(form, 'false'), map: null}
			}
			if (!isFile(id, utils) || !code.includes(globalFormData)) return null
			wanted.delete(utils)
			return {code: code.replace(globalFormData, 'undefined'), map: null}
		},
		buildEnd(error) {
			if (error === undefined && wanted.size > 0) this.error(`nothing to replace in ${[...wanted].join(', ')}`)
		}
	}
}

function isFile(id: string, path: string) {
	return id.replaceAll('\\', '/').endsWith(path)
}

function moduleText(name: string) {
	const stub = packages[name]
	if (stub !== undefined) return stub
	const module = `process.getBuiltinModule('node:${name}')`
	// Loads at first use: axios imports it at the top and needs it for HTTP/2 alone.
	if (name === 'http2') return `export default new Proxy({}, { get: (_, key) => ${module}[key] });`
	return `const module = ${module};\nexport default module;\nexport const { ${plainExports(name).join(', ')} } = module;`
}

/** Exports that can be read without loading anything. */
function plainExports(name: string): readonly string[] {
	const properties = Object.entries(Object.getOwnPropertyDescriptors(require(`node:${name}`)))
	return properties.filter(([key, {get}]) => get === undefined && /^\w+$/.test(key)).map(([key]) => key)
}
